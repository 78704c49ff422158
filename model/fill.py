"""Fill, extend and remove: the new requests take the finished slots, then the end; the rest are removed (B1 to B3)."""

from __future__ import annotations

from dataclasses import replace

from logitproof.spec.algebra import Algebra, Int

from .batch import add, remove
from .rule import Firing, Loop
from .step_state import StepState


def keep(L: Algebra, s: StepState) -> Firing:
    """The slot under the cursor goes on: step past it."""
    return Firing(
        L.all_of(s.cursor < s.plan.old.size, L.negate(L.at(s.plan.finished, s.cursor))),
        lambda: replace(s, cursor=s.cursor + 1),
    )


def refill(L: Algebra, s: StepState) -> Firing:
    """B1: the slot under the cursor has finished and a new request waits: it takes the slot."""
    newcomer = L.at(s.plan.arrivals, s.taken)
    return Firing(
        L.all_of(L.at(s.plan.finished, s.cursor), s.taken < s.plan.arrival_count),
        lambda: replace(
            s,
            batch=add(L, s.batch, s.cursor, newcomer),
            record=replace(
                s.record,
                added=L.put(s.record.added, s.cursor, newcomer),
                placed=L.put(s.record.placed, s.taken, s.cursor),
            ),
            cursor=s.cursor + 1,
            taken=s.taken + 1,
        ),
    )


def extend(L: Algebra, s: StepState) -> Firing:
    """B2: no finished slot is left and a new request waits: it goes just past the end."""
    newcomer = L.at(s.plan.arrivals, s.taken)
    return Firing(
        L.all_of(s.cursor >= s.plan.old.size, s.taken < s.plan.arrival_count),
        lambda: replace(
            s,
            batch=add(L, s.batch, s.batch.size, newcomer),
            record=replace(
                s.record,
                added=L.put(s.record.added, s.batch.size, newcomer),
                placed=L.put(s.record.placed, s.taken, s.batch.size),
            ),
            taken=s.taken + 1,
        ),
    )


def retire(L: Algebra, s: StepState) -> Firing:
    """B3: the slot under the cursor has finished and nobody waits for it: it is removed."""
    return Firing(
        L.all_of(L.at(s.plan.finished, s.cursor), s.taken >= s.plan.arrival_count),
        lambda: replace(
            s,
            batch=remove(L, s.batch, s.cursor),
            record=replace(s.record, removed=L.put(s.record.removed, s.cursor, True)),
            cursor=s.cursor + 1,
        ),
    )


def slots_ahead(L: Algebra, s: StepState) -> Int:
    """Old slots that the cursor has not passed."""
    return s.plan.old.size - s.cursor


def arrivals_waiting(L: Algebra, s: StepState) -> Int:
    """New requests that have no slot yet."""
    return s.plan.arrival_count - s.taken


FILL = Loop("fill", (keep, refill), slots_ahead)
EXTEND = Loop("extend", (extend,), arrivals_waiting)
REMOVE = Loop("remove", (keep, retire), slots_ahead)
