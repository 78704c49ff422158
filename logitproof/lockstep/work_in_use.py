"""What a processor does in steps in which nothing changes but the outputs, for requests that use it.

A batch of users is played without any change of its members. Needed work has something to do with the logits or with
what was sampled; a wide tensor that is made from neither, with the same content in every step, could have been kept.
"""

from __future__ import annotations

import copy
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from logitproof.spec import BatchUpdate, SamplingParams
from logitproof.targets import Target
from logitproof.targets.load import cpu, engine_config

from .alone import PROMPT, SCRIPTS, drawn_params, given_alone
from .dispatch_meter import DispatchMeter
from .finding import Figure, Finding, Severity
from .loans import own_copy, unchanged
from .oracles.work_in_use import ParamsCopied, WorkInUse
from .plain import PLAIN

USERS = 4
GROUPS = 3
"""Batches of different users: what one sort of request costs, another may not."""
STEPS = 12
MEASURED = 3
"""The last steps: outputs have grown by then, and whatever is built at first has been built."""
WRITES_PER_USER = 4
"""Single-element writes in a step: one or two follow the token that was sampled."""
LARGE = 100
"""Objects in what is copied: below that nobody notices."""


def work_in_use(target: Target, dtype: str = "float32") -> dict[str, Finding]:
    """Warnings by code; empty if there is nothing to say. A batch that raises is left to other oracles."""
    drawn = drawn_params(target, target.vocab, USERS * GROUPS)
    costs: list[Cost] = []
    copies: list[Finding] = []
    with torch.inference_mode():
        for start in range(0, len(drawn), USERS):
            users = [own_copy(params) for params in drawn[start : start + USERS]]
            try:
                costs.append(_cost_of(target, users, dtype, copies))
            except Exception:  # compiled code may refuse to be watched, and crashes are spoken of elsewhere
                continue
    findings = [*_about(costs), *copies[:1]]
    return {finding.oracle: finding for finding in findings}


@dataclass(frozen=True, slots=True)
class Cost:
    """What every one of the measured steps of a batch costs, at least."""

    users: int
    remade: Counter[tuple[tuple[int, ...], bytes]]
    waits: Counter[str]
    writes: int


def _cost_of(target: Target, users: Sequence[SamplingParams], dtype: str, copies: list[Finding]) -> Cost:
    """Play the users and a plain request between them. Raises whatever the processor raises."""
    batch = [*users[:1], PLAIN, *users[1:]]
    outputs: list[list[int]] = [[] for _ in batch]
    added = [(row, params, list(PROMPT), outputs[row]) for row, params in enumerate(batch)]
    update: BatchUpdate | None = BatchUpdate(len(batch), [], added, [])
    given = given_alone(target.vocab, dtype)
    meters = []
    watch = _CopyWatch(batch)
    instance = target.make(engine_config(len(batch), target.vocab), cpu(), False)
    for number in range(STEPS):
        logits = given[[(5 * row + number) % len(given) for row in range(len(batch))]]
        if number < STEPS - MEASURED:
            with watch:
                instance.update_state(update)
                instance.apply(logits)
        else:
            meter = DispatchMeter(logits, target.vocab)
            with meter:
                instance.update_state(None)
                instance.apply(logits)
            meters.append(meter)
        update = None
        for row, said in enumerate(outputs):
            script = SCRIPTS[row % len(SCRIPTS)]
            said.append(script[(number + row) % len(script)])
    copies += watch.findings()
    remade, waits = meters[0].remade(), meters[0].waits
    for meter in meters[1:]:
        remade, waits = remade & meter.remade(), waits & meter.waits
    return Cost(len(users), remade, waits, min(meter.element_writes for meter in meters))


def _about(costs: Sequence[Cost]) -> Iterator[Finding]:
    """The warning, with the figures of the batch that costs most. A wait counts only where every batch has it."""
    if not costs:
        return
    worst = max(costs, key=lambda cost: (cost.remade.total(), cost.writes))
    waits = costs[0].waits
    for cost in costs[1:]:
        waits = waits & cost.waits
    shapes = ", ".join(dict.fromkeys(str(list(shape)) for shape, _ in worst.remade))
    writes = worst.writes if worst.writes > WRITES_PER_USER * worst.users else 0
    figures = (
        Figure("tensors made again, as they were", worst.remade.total(), shapes),
        Figure("waits for the device", waits.total(), ", ".join(waits)),
        Figure("single elements written", writes, "one small transfer each on a device" if writes else ""),
    )
    if met := tuple(figure for figure in figures if figure.count):
        what = f"{worst.users} requests use it and nothing changes, yet every step costs this"
        yield Finding(WorkInUse.code, "C4", what, STEPS, severity=Severity.WARNING, figures=met)


class _CopyWatch:
    """Sees calls of `copy.deepcopy` on what belongs to params, however the function was imported."""

    def __init__(self, batch: Sequence[SamplingParams]) -> None:
        self._lent = {id(each) for params in batch for each in _parts(params)}
        self._depth = 0
        self._copied: list[tuple[Any, Any]] = []
        self._original: Any = None

    def __enter__(self) -> None:
        self._before = sys.getprofile()
        sys.setprofile(self._see)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self._before)

    def _see(self, frame: Any, event: str, result: Any) -> None:
        if frame.f_code is not copy.deepcopy.__code__:
            return
        if event == "call":
            if self._depth == 0:
                self._original = frame.f_locals.get("x")
            self._depth += 1
        elif event == "return":
            self._depth -= 1
            if self._depth == 0 and id(self._original) in self._lent:
                self._copied.append((self._original, result))

    def findings(self) -> Iterator[Finding]:
        """What was copied and then never became different from the original, if it is large."""
        needless = [
            original
            for original, copied in self._copied
            if unchanged(copied, original) and _size(original) >= LARGE
        ]
        if needless:
            kinds = ", ".join(sorted({type(each).__name__ for each in needless}))
            most = max(_size(each) for each in needless)
            what = "deep copies of what params hold are never changed: share the original between requests"
            figures = (
                Figure("deep copies", len(self._copied)),
                Figure("never changed", len(needless), f"{kinds}, up to {most:,} objects"),
            )
            yield Finding(ParamsCopied.code, "C5", what, STEPS, severity=Severity.WARNING, figures=figures)


def _parts(params: SamplingParams) -> Iterator[Any]:
    yield params
    stack: list[Any] = [params.extra_args, params.logit_bias]
    while stack:
        each = stack.pop()
        if each is None:
            continue
        yield each
        if isinstance(each, dict):
            stack += each.values()


def _size(value: Any, depth: int = 6) -> int:
    """Objects in it, containers and attributes included."""
    if depth == 0 or isinstance(value, str | bytes | int | float | type(None)):
        return 1
    if isinstance(value, torch.Tensor):
        return value.numel()
    if isinstance(value, dict):
        return 1 + sum(_size(each, depth - 1) for each in value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return 1 + sum(_size(each, depth - 1) for each in value)
    inner = getattr(value, "__dict__", None)
    if isinstance(value, SamplingParams):
        inner = {"extra_args": value.extra_args, "logit_bias": value.logit_bias}
    return 1 + sum(_size(each, depth - 1) for each in (inner or {}).values())
