"""Whose state did the row get? Each other request is put alone into a fresh instance, to see who would explain it."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from logitproof.spec import BatchUpdate
from logitproof.targets import Target
from logitproof.targets.load import cpu, engine_config

from .bank import DTYPES
from .finding import Finding
from .history import Arrival, History
from .loans import own_copy
from .private import comes_of_shared_state
from .tolerance import SOLO, differing_rows


def blame(history: History, target: Target, finding: Finding, others: Sequence[Finding] = ()) -> str | None:
    """One sentence that explains the row by another request's state, or None if nobody's does.

    others: what else was found in that step.
    """
    if finding.row is None:
        return None
    own = f"Row {finding.row} ({finding.request})"
    if comes_of_shared_state(history, target, finding):
        return (
            f"{own} is right if every instance has the modules and classes around it to itself: something in them, or "
            f"a default argument, is written to, and all instances in a process share it."
        )
    if hidden_input(finding, others):
        return (
            f"{own} is different again in a second instance that was told the same: it depends on the clock, id(), "
            f"random numbers, or something outside of the instance."
        )
    if (name := culprit(history, target, finding)) is not None:
        return f"{own} was treated as {name} would be."
    if finding.oracle == "rebuild":
        return (
            f"A request that was preempted comes back as such an Add, with the outputs that it has: {finding.request} "
            f"would then get what the fresh instance gives."
        )
    if finding.actual is not None and finding.actual == finding.given and finding.expected != finding.given:
        return f"{own} was left as it came, as if it had asked for nothing."
    return None


def hidden_input(finding: Finding, others: Sequence[Finding]) -> bool:
    """Whether a second instance, told the same, gave that row something else: what was told cannot explain it."""
    return finding.row is not None and any(
        other.oracle == "copies" and other.row == finding.row for other in others
    )


def culprit(history: History, target: Target, finding: Finding) -> str | None:
    """The request whose state explains the row, or None."""
    if finding.row is None or finding.given is None or finding.actual is None or finding.request is None:
        return None
    outputs = outputs_before(history, finding.step)
    for arrival in history.arrivals():
        if arrival.name == finding.request or arrival.name not in outputs:
            continue
        row = _alone(history, target, arrival, outputs[arrival.name], finding.given)
        if (
            row is not None
            and _same(row, finding.actual, history)
            and not _same(finding.given, finding.actual, history)
        ):
            return arrival.name
    return None


def sees_no_tokens(history: History, target: Target, finding: Finding) -> bool:
    """Whether an instance that is told of the request treats a row alike before and after new tokens."""
    assert finding.given is not None
    arrival = next(arrival for arrival in history.arrivals() if arrival.name == finding.request)
    later = outputs_before(history, finding.step)[arrival.name]
    outputs = list(arrival.outputs)
    params, prompt = own_copy(history.params[arrival.params]), _prompt(history, arrival)
    row = torch.tensor([finding.given], dtype=torch.float64).to(DTYPES[history.dtype])
    try:
        with torch.inference_mode():
            instance = target.make(engine_config(history.slots, history.vocab), cpu(), False)
            instance.update_state(BatchUpdate(1, [], [(0, params, prompt, outputs)], []))
            before = instance.apply(row.clone()).clone()
            outputs += later[len(outputs) :]
            instance.apply(row.flip(1))  # it may follow the logits
            instance.update_state(None)
            return torch.equal(before, instance.apply(row.clone()))
    except Exception:  # it follows its tokens somehow
        return False


def outputs_before(history: History, number: int) -> dict[str, list[int]]:
    """The output tokens of everyone who has arrived, before the sampling of step `number` (from 1)."""
    outputs: dict[str, list[int]] = {}
    arrivals: dict[str, Arrival] = {}
    sampling: list[str] = []
    live: set[str] = set()
    for step in history.steps[:number]:
        for name in sampling:
            script = arrivals[name].script
            outputs[name].append(script[len(outputs[name]) % len(script)])
        for arrival in step.new:
            arrivals[arrival.name], outputs[arrival.name] = arrival, list(arrival.outputs)
        entering = {*step.resumed} | {arrival.name for arrival in step.new}
        live = (live - {*step.finished, *step.unscheduled}) | entering
        sampling = [name for name in (*live, *step.accepted) if name not in step.partial]
    return outputs


def _alone(
    history: History, target: Target, arrival: Arrival, outputs: list[int], given: tuple[float, ...]
) -> tuple[float, ...] | None:
    prompt = _prompt(history, arrival)
    row = torch.tensor([given], dtype=torch.float64).to(DTYPES[history.dtype])
    params = own_copy(history.params[arrival.params])
    try:
        instance = target.make(engine_config(history.slots, history.vocab), cpu(), False)
        instance.update_state(BatchUpdate(1, [], [(0, params, prompt, outputs)], []))
        return tuple(instance.apply(row)[0].double().tolist())
    except Exception:  # a guess that raises explains nothing
        return None


def _prompt(history: History, arrival: Arrival) -> list[int] | None:
    return None if arrival.prompt is None else list(history.prompts[arrival.prompt])


def _same(left: tuple[float, ...], right: tuple[float, ...], history: History) -> bool:
    one, other = (torch.tensor([row], dtype=torch.float64).to(DTYPES[history.dtype]) for row in (left, right))
    return not differing_rows(one, other, SOLO)
