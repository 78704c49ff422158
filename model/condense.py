"""Condense and shrink: one-way moves close the holes from below with requests from above (B4, B5, B9)."""

from __future__ import annotations

from dataclasses import replace

from logitproof.spec.algebra import EMPTY, Algebra, Int

from .batch import move
from .rule import Firing, Loop
from .step_state import StepState, append_move


def open_condense(L: Algebra, s: StepState) -> StepState:
    """Both cursors start at the ends of the batch."""
    return replace(s, low=0, high=s.batch.size - 1)


def advance(L: Algebra, s: StepState) -> Firing:
    """The lowest candidate for a hole is live: step past it."""
    return Firing(
        L.at(s.batch.slots, s.low) != EMPTY,
        lambda: replace(s, low=s.low + 1),
    )


def retreat(L: Algebra, s: StepState) -> Firing:
    """The highest candidate for a request is empty: step past it."""
    return Firing(
        L.all_of(s.low <= s.high, L.at(s.batch.slots, s.high) == EMPTY),
        lambda: replace(s, high=s.high - 1),
    )


def move_down(L: Algebra, s: StepState) -> Firing:
    """B4: a hole below and a request above: the request goes into the hole."""
    moves = s.record.moves
    return Firing(
        L.all_of(
            s.low < s.high,
            L.at(s.batch.slots, s.low) == EMPTY,
            L.at(s.batch.slots, s.high) != EMPTY,
        ),
        lambda: replace(
            s,
            batch=move(L, s.batch, s.high, s.low),
            record=replace(
                s.record,
                filler=L.put(s.record.filler, s.low, moves.length),
                moves=append_move(L, moves, s.high, s.low, True),
            ),
            low=s.low + 1,
            high=s.high - 1,
            condensed=s.condensed + 1,
        ),
    )


def shrink(L: Algebra, s: StepState) -> StepState:
    """B5: the empty slots at the end are cut off."""
    return replace(s, batch=replace(s.batch, size=s.low))


def span(L: Algebra, s: StepState) -> Int:
    """Slots between the two cursors, both included."""
    return s.high - s.low + 1


CONDENSE = Loop("condense", (advance, retreat, move_down), span)
