"""Recorded steps as test input: any processor is taken through them, with generated params (`fuzz --history`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from logitproof.lockstep.decode import which_params
from logitproof.lockstep.generate import Source, worlds
from logitproof.lockstep.history import Arrival, History, Step
from logitproof.spec import Dialect
from logitproof.targets import Target

from .check import check
from .frames import Frame, frames
from .read import NotARecording
from .recording import Added, Recording

LONGEST = 256
"""Steps of a longer recording that are played at once; which ones is drawn."""
LONGEST_PROMPT = 16
"""Tokens of a prompt that are generated: what a processor reads of it does not depend on there being more."""
BYTES = 3
"""Drawn per request: its params, its script, its first row of logits."""


def from_recordings(recordings: Sequence[Recording]) -> Source:
    """The source of histories for `--history FILE`. Raises NotARecording: one that breaks a law, or has no steps."""
    played = []
    for recording in recordings:
        result = check(recording)
        if result.violations:
            first = result.violations[0]
            raise NotARecording(
                f"{recording.path}: breaks {first.law} in step {first.step}, so it is no history that an engine may "
                f"have; see logitproof trace {recording.path}"
            )
        if result.is_vacuous:
            raise NotARecording(f"{recording.path}: holds no update, so there is nothing to play")
        played.append(frames(recording))
    windows = [(steps, start) for steps in played for start in range(0, len(steps), LONGEST)]

    def histories(target: Target, dialect: Dialect, vocab: int, dtype: str) -> SearchStrategy[History]:
        return _recorded(windows, target, dialect, vocab, dtype)

    return histories


@st.composite
def _recorded(
    draw: st.DrawFn,
    windows: Sequence[tuple[list[Frame], int]],
    target: Target,
    dialect: Dialect,
    vocab: int,
    dtype: str,
) -> History:
    world = draw(worlds(target, dialect, vocab, dtype))
    steps, start = draw(st.sampled_from(windows))
    chosen = steps[start : start + LONGEST]
    requests = len({request for frame in chosen for request in frame.requests})
    drawn = draw(st.binary(min_size=BYTES * requests, max_size=BYTES * requests))
    return recorded_history(chosen, world, drawn)


def recorded_history(chosen: Sequence[Frame], world: History, drawn: bytes) -> History:
    """Recorded steps with the params of `world`; `BYTES` of `drawn` say what each request is. It is always valid."""
    lengths = sorted({entry.prompt_length or 0 for frame in chosen for entry in frame.entered})
    prompts = tuple(
        tuple((7 * position + length) % world.vocab for position in range(min(length, LONGEST_PROMPT)))
        for length in lengths
    )
    returning = {entry.came_back_as for frame in chosen for entry in frame.entered}
    conversion = _Conversion(replace(world, prompts=(*world.prompts, *prompts)), lengths, drawn, returning)
    return replace(
        conversion.world,
        steps=tuple(conversion.step(frame, number == 0) for number, frame in enumerate(chosen)),
        slots=max((len(frame.requests) for frame in chosen), default=1) or 1,
    )


class _Conversion:
    """Follows the names: a request that comes back keeps the one it had, if it left within the steps played."""

    def __init__(
        self, world: History, prompt_lengths: Sequence[int], drawn: bytes, returning: set[int | None]
    ) -> None:
        self.world = world
        self._returning = returning
        self._first_prompt = len(world.prompts) - len(prompt_lengths)
        self._prompt_at = {length: place for place, length in enumerate(prompt_lengths)}
        self._drawn = drawn
        self._live: tuple[int, ...] = ()
        self._names: dict[int, str] = {}
        self._waiting: set[str] = set()

    def step(self, frame: Frame, is_first: bool) -> Step:
        """One step. In the first everyone who is there arrives."""
        staying = {*frame.requests}
        leaving = [request for request in self._live if request not in staying]
        unscheduled = tuple(self._names[request] for request in leaving if request in self._returning)
        entries = frame.entered
        if is_first:
            entered = {entry.request: entry for entry in frame.entered}
            entries = tuple(
                replace(entered.get(request, Added(0, request, "plain", 1, 0, None)), output_length=length)
                for request, length in zip(frame.requests, frame.lengths, strict=True)
            )
        back = [self._waiting_name(entry) for entry in entries]
        # The model lets new requests in before resumed ones; where the engine did not, the order matters more.
        first_back = next((place for place, name in enumerate(back) if name), len(back))
        kept = all(back[first_back:]) and len({*back[first_back:]}) == len(back) - first_back
        new, resumed = [], []
        for entry, name in zip(entries, back, strict=True):
            if kept and name:
                self._names[entry.request] = name
                self._waiting.discard(name)
                resumed.append(name)
            else:
                new.append(self._arrival(entry))
        self._waiting |= {*unscheduled}
        self._live = frame.requests
        return Step(
            finished=tuple(self._names[request] for request in leaving if request not in self._returning),
            unscheduled=unscheduled,
            new=tuple(new),
            resumed=tuple(resumed),
            swaps=() if is_first else frame.swaps,
            partial=tuple(self._names[request] for request in frame.requests if request in frame.partial),
        )

    def _waiting_name(self, entry: Added) -> str | None:
        if entry.came_back_as is None:
            return None
        name = self._names.get(entry.came_back_as)
        return name if name in self._waiting else None

    def _arrival(self, entry: Added) -> Arrival:
        number = len(self._names)
        self._names[entry.request] = name = f"R{entry.request}"
        world = self.world
        what, script, row = (
            self._drawn[(BYTES * number + place) % len(self._drawn)] for place in range(BYTES)
        )
        tokens = tuple((script * (place + 1)) % min(8, world.vocab) for place in range(1 + script % 4))
        prompt = None
        if entry.prompt_length is not None:
            prompt = (
                self._first_prompt + self._prompt_at[entry.prompt_length]
                if entry.prompt_length in self._prompt_at
                else 0
            )
        outputs = tuple(tokens[place % len(tokens)] for place in range(entry.output_length))
        return Arrival(name, which_params(what, len(world.params)), prompt, outputs, row % 64, tokens)
