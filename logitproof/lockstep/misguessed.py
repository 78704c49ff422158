"""Whether a crash says no more than that a guess about the arguments was wrong: then a request alone crashes alike."""

from __future__ import annotations

import torch

from logitproof.spec import BatchUpdate
from logitproof.targets import Target
from logitproof.targets.load import cpu, engine_config

from .bank import DTYPES
from .finding import Finding, Severity
from .history import Arrival, History
from .loans import own_copy
from .oracles.crash import Crash
from .watchdog import RAISED

STEPS = 12


def misguessed(history: History, target: Target, finding: Finding) -> bool:
    """Whether a request that was guessed raises the same at the same place, alone in a quiet batch."""
    if not target.is_guessed or finding.oracle != Crash.code:
        return False
    return any(
        bool(history.params[arrival.params].extra_args)
        and _raised(history, target, arrival) == (finding.place or "")
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


def _raised(history: History, target: Target, arrival: Arrival) -> str | None:
    """Where it raises, as `Finding.place` says it."""
    prompt = None if arrival.prompt is None else list(history.prompts[arrival.prompt])
    outputs = list(arrival.outputs)
    row = torch.linspace(-4, 4, history.vocab, dtype=torch.float64).to(DTYPES[history.dtype])
    update: BatchUpdate | None = BatchUpdate(
        1, [], [(0, own_copy(history.params[arrival.params]), prompt, outputs)], []
    )
    try:
        instance = target.make(engine_config(history.slots, history.vocab), cpu(), False)
        for step in range(STEPS):
            instance.update_state(update)
            instance.apply(row.roll(step)[None].clone())
            outputs.append(arrival.script[len(outputs) % len(arrival.script)])
            update = None
    except RAISED as error:
        return Crash.finding("apply", "one request", error, 1).place
    return None
