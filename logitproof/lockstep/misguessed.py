"""Whether a crash says no more than that a guess about the arguments was wrong: then a request alone crashes alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice, product
from typing import Any, TypeAlias

import torch

from logitproof.spec import BatchUpdate
from logitproof.targets import Target
from logitproof.targets.load import cpu, engine_config

from .bank import DTYPES
from .finding import Finding, Severity
from .history import Arrival, History
from .loans import own_copy
from .oracles.crash import Crash
from .plain import PLAIN
from .watchdog import RAISED

STEPS = 12
FEW_OUTPUTS = 16
"""What raises only after more of them is not about the arguments."""
SOME_OUTPUTS = 4
SEEDS = 4
"""Logits that each is tried with: what a target looks at may depend on which is the highest."""


def misguessed(history: History, target: Target, finding: Finding) -> bool:
    """Whether a request that was guessed raises the same at the same place, alone in a quiet batch."""
    if not target.is_guessed or finding.oracle != Crash.code:
        return False
    return any(
        bool(history.params[arrival.params].extra_args)
        and (
            (
                _raised(history, target, arrival, _short_lives(arrival)) == (finding.place or "")
                and not _is_for_want_of_outputs(history, target, arrival)
            )
            or _runs_out(history, target, arrival, finding.place or "")
        )
        for arrival in history.arrivals()
    )


def as_warning(finding: Finding) -> Finding:
    """What is said of it."""
    return Finding(
        finding.oracle,
        finding.law,
        f"{finding.summary}; a request alone raises the same, so the arguments that were guessed for it may be at "
        f"fault: see requests. If it may be sent such, refuse it in validate_params with ValueError",
        finding.step,
        severity=Severity.WARNING,
        place=finding.place,
    )


Life: TypeAlias = tuple[list[int], list[int]]
"""The outputs that a request comes with, and those it gets."""


def _short_lives(arrival: Arrival) -> list[Life]:
    """One with few outputs, and as it comes with some more of them."""
    outputs = list(arrival.outputs[:FEW_OUTPUTS])
    later = _sampled(arrival, len(outputs), STEPS)
    return [(outputs, later), *((outputs + later[:number], []) for number in range(STEPS))]


def _sampled(arrival: Arrival, after: int, count: int) -> list[int]:
    return [arrival.script[number % len(arrival.script)] for number in range(after, after + count)]


def _is_for_want_of_outputs(history: History, target: Target, arrival: Arrival) -> bool:
    """Whether it raises while there are no outputs, and not once there are: no argument can help that."""
    sampled = _sampled(arrival, 0, STEPS)
    begun = [(sampled[:SOME_OUTPUTS], sampled[SOME_OUTPUTS:])]
    return (
        _raised(history, target, arrival, [([], [])]) is not None
        and _raised(history, target, arrival, begun) is None
    )


def _runs_out(history: History, target: Target, arrival: Arrival, place: str) -> bool:
    """Whether it raises for want of a longer list: it does not where every list in its arguments is long enough."""
    begun = list(arrival.outputs)
    life = begun, _sampled(arrival, len(begun), len(history.steps))
    longest = sum(map(len, life)) + 1
    params = history.params[arrival.params]
    ample = replace(params, extra_args=_lengthened(params.extra_args, longest))
    there = {arrival.params: ample}
    longer = replace(history, params=tuple(there.get(kind, each) for kind, each in enumerate(history.params)))
    return (
        ample != params
        and _raised(history, target, arrival, [life]) == place
        and _raised(longer, target, arrival, [life]) is None
    )


def _lengthened(value: Any, length: int) -> Any:
    """With every list repeated up to a length."""
    if isinstance(value, dict):
        return {key: _lengthened(each, length) for key, each in value.items()}
    if isinstance(value, list | tuple) and value:
        return type(value)(islice(cycle(value), length)) if len(value) < length else value
    return value


def _raised(history: History, target: Target, arrival: Arrival, lives: Sequence[Life]) -> str | None:
    """Where it raises, as `Finding.place` says it, in any of its lives."""
    for seed, (begun, more) in product(range(SEEDS), lives):
        try:
            _live(history, target, arrival, begun, more, seed)
        except RAISED as error:
            return Crash.finding("apply", "one request", error, 1).place
    return None


def _live(
    history: History, target: Target, arrival: Arrival, begun: list[int], more: list[int], seed: int
) -> None:
    """The request comes with these outputs, and gets more of them. seed: of the logits."""
    prompt = None if arrival.prompt is None else list(history.prompts[arrival.prompt])
    generator = torch.Generator().manual_seed(seed)
    row = torch.randn(history.vocab, generator=generator).to(DTYPES[history.dtype])
    # What raises for greedy requests only is not about their arguments.
    guess = replace(history.params[arrival.params], temperature=PLAIN.temperature)
    params, outputs = own_copy(guess), list(begun)
    instance = target.make(engine_config(history.slots, history.vocab), cpu(), False)
    update: BatchUpdate | None = BatchUpdate(1, [], [(0, params, prompt, outputs)], [])
    for step in range(1 + len(more)):
        instance.update_state(update)
        instance.apply(row.roll(step)[None].clone())
        outputs += more[step : step + 1]
        update = None
