"""Makes a history valid again after something was cut out of it."""

from __future__ import annotations

from dataclasses import replace

from .history import History, Step


def repair(history: History) -> History:
    """The history without whatever refers to a request that is not there, or to a slot that does not exist."""
    live: set[str] = set()
    waiting: set[str] = set()
    known: set[str] = set()
    steps = []
    for step in history.steps:
        finished = tuple(name for name in step.finished if name in live)
        unscheduled = tuple(name for name in step.unscheduled if name in live and name not in finished)
        resumed = tuple(name for name in step.resumed if name in waiting)
        live -= {*finished, *unscheduled}
        new = tuple(arrival for arrival in step.new if arrival.name not in known)
        new = new[: max(0, history.slots - len(live))]
        resumed = resumed[: max(0, history.slots - len(live) - len(new))]
        live |= {arrival.name for arrival in new} | {*resumed}
        known |= {arrival.name for arrival in new}
        waiting = (waiting - {*resumed}) | {*unscheduled}
        swaps = tuple(pair for pair in step.swaps if max(pair) < len(live))
        partial = tuple(name for name in step.partial if name in live)
        accepted = tuple(name for name in step.accepted if name in live)
        steps.append(Step(finished, unscheduled, new, resumed, swaps, partial, accepted))
    return replace(history, steps=tuple(steps))
