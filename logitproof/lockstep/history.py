"""What happened to a batch, step by step, in our own words: everything needed to make it happen again.

A history names requests, not slots, so that it stays valid when a shrinker takes steps out of it. Logits and sampled
tokens are functions of it: the row of a request with n outputs is row `row + 29 n` of a bank drawn from `seed`, and its
next token is element n of its script, repeated when spent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, product
from string import ascii_uppercase

from logitproof.spec import Dialect, SamplingParams

from .hazards import DEFAULT_HAZARDS, Hazard


@dataclass(frozen=True, slots=True)
class Arrival:
    """A request that enters for the first time.

    params, prompt: positions in `History.params` and `History.prompts`; equal positions share one object. A prompt of
    None belongs to a request that was given embeddings (contract C5).
    outputs: token ids it already has, as after a resume elsewhere.
    """

    name: str
    params: int = 0
    prompt: int | None = 0
    outputs: tuple[int, ...] = ()
    row: int = 0
    script: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Step:
    """One engine step. New requests enter before resumed ones; swaps hold slots of the condensed batch.

    unscheduled: requests that leave the batch now and may be `resumed` later, with their outputs.
    partial: requests whose sampled token is thrown away (a chunk of a prefill).
    accepted: requests that get a token more, as from an accepted draft; once for every such token.
    """

    finished: tuple[str, ...] = ()
    unscheduled: tuple[str, ...] = ()
    new: tuple[Arrival, ...] = ()
    resumed: tuple[str, ...] = ()
    swaps: tuple[tuple[int, int], ...] = ()
    partial: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()

    @property
    def is_idle(self) -> bool:
        """Whether membership and order stay as they are."""
        return not (self.finished or self.unscheduled or self.new or self.resumed or self.swaps)


@dataclass(frozen=True, slots=True)
class History:
    """Steps, and the world in which they happen.

    vocab: width of the logits. slots: requests the batch can hold. hazards: what the steps were allowed to hold.
    lag: steps until a sampled token takes the place of its placeholder in the output list; 0: it is there at once.
    padding: rows of the logits beyond the batch's own, up to `slots`.
    """

    steps: tuple[Step, ...]
    params: tuple[SamplingParams, ...]
    prompts: tuple[tuple[int, ...], ...]
    dialect: Dialect = Dialect.DOCUMENTED
    slots: int = 8
    vocab: int = 32
    dtype: str = "float32"
    seed: int = 0
    hazards: frozenset[Hazard] = DEFAULT_HAZARDS
    lag: int = 0
    padding: int = 0

    def arrivals(self) -> Iterator[Arrival]:
        """Every request of the history, in order of arrival."""
        for step in self.steps:
            yield from step.new


def request_names() -> Iterator[str]:
    """A, B, …, Z, AA, AB, …"""
    for length in count(1):
        for letters in product(ascii_uppercase, repeat=length):
            yield "".join(letters)


def first_fault(history: History) -> str | None:
    """Why no engine could play this history, or None."""
    return next(_faults(history), None)


def _faults(history: History) -> Iterator[str]:
    live: set[str] = set()
    waiting: set[str] = set()
    known: set[str] = set()
    for number, step in enumerate(history.steps, start=1):
        where = f"step {number}"
        leaving = (*step.finished, *step.unscheduled)
        names = [arrival.name for arrival in step.new]
        if bad := _not_among(leaving, live):
            yield f"{where}: {bad} leaves but is not in the batch, or leaves twice"
        if bad := _not_among(step.resumed, waiting):
            yield f"{where}: {bad} is resumed but is not waiting"
        if len({*names}) < len(names) or known & {*names}:
            yield f"{where}: a new request has a name that was used before"
        for arrival in step.new:
            if not 0 <= arrival.params < len(history.params):
                yield f"{where}: {arrival.name} has params {arrival.params} of {len(history.params)}"
            if arrival.prompt is not None and not 0 <= arrival.prompt < len(history.prompts):
                yield f"{where}: {arrival.name} has prompt {arrival.prompt} of {len(history.prompts)}"
            if not arrival.script or not all(
                0 <= token < history.vocab for token in (*arrival.script, *arrival.outputs)
            ):
                yield f"{where}: {arrival.name} has no script, or a token outside [0, {history.vocab})"
        live = (live - {*leaving}) | {*names} | {*step.resumed}
        waiting = (waiting - {*step.resumed}) | {*step.unscheduled}
        known |= {*names}
        if len(live) > history.slots:
            yield f"{where}: {len(live)} requests do not fit into {history.slots} slots"
        if any(
            not (0 <= left < len(live) and 0 <= right < len(live)) or left == right
            for left, right in step.swaps
        ):
            yield f"{where}: a swap names a slot twice, or one outside [0, {len(live)})"
        if bad := _not_among(step.partial, live):
            yield f"{where}: {bad} is partial but is not in the batch"
        if bad := _not_among({*step.accepted}, live):
            yield f"{where}: {bad} gets a token more but is not in the batch"


def _not_among(names: Iterable[str], allowed: set[str]) -> str | None:
    left = set(allowed)
    for name in names:
        if name not in left:
            return name
        left.remove(name)
    return None
