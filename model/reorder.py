"""Reorder: the swaps that the attention backend wants (B6)."""

from __future__ import annotations

from dataclasses import replace

from logitproof.spec.algebra import Algebra, Int

from .batch import swap
from .rule import Firing, Loop
from .step_state import StepState, append_move


def exchange(L: Algebra, s: StepState) -> Firing:
    """B6: the next swap of the plan, between two different live slots."""
    source = L.at(s.plan.swap_source, s.swapped)
    destination = L.at(s.plan.swap_destination, s.swapped)
    return Firing(
        L.all_of(
            s.swapped < s.plan.swap_count,
            source >= 0,
            source < s.batch.size,
            destination >= 0,
            destination < s.batch.size,
            source != destination,
        ),
        lambda: replace(
            s,
            batch=swap(L, s.batch, source, destination),
            record=replace(s.record, moves=append_move(L, s.record.moves, source, destination, False)),
            swapped=s.swapped + 1,
        ),
    )


def swaps_left(L: Algebra, s: StepState) -> Int:
    """Swaps of the plan that have not been made."""
    return s.plan.swap_count - s.swapped


REORDER = Loop("reorder", (exchange,), swaps_left)
