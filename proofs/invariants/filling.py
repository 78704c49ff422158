"""What is true between two firings of fill, extend or remove."""

from __future__ import annotations

from logitproof.model.step_state import StepState
from logitproof.spec.algebra import EMPTY, NOWHERE, Algebra, Bool, Int

from ..obligation import Invariant
from .settled import (
    added_are_the_taken_arrivals,
    batch_is_well_formed,
    conserved,
    every_taken_arrival_was_added_once,
    plan_stays_possible,
    record_is_exact,
)


def cursors_in_fill(L: Algebra, s: StepState) -> Bool:
    """The cursor walks the old slots, `taken` the arrivals; the batch has grown only once no finished slot is left."""
    return L.all_of(
        s.cursor >= 0,
        s.cursor <= s.plan.old.size,
        s.taken >= 0,
        s.taken <= s.plan.arrival_count,
        s.batch.size >= s.plan.old.size,
        L.implies(s.batch.size > s.plan.old.size, s.cursor == s.plan.old.size),
    )


def slots_follow_the_record(L: Algebra, s: StepState) -> Bool:
    """A slot holds what was added there, nothing if it was removed, else what it held at the start."""
    return L.every_slot(
        lambda i: (
            L.at(s.batch.slots, i)
            == L.choose(
                L.at(s.record.added, i) != EMPTY,
                L.at(s.record.added, i),
                L.choose(L.at(s.record.removed, i), EMPTY, L.at(s.plan.old.slots, i)),
            )
        )
    )


def arrivals_are_added_in_order(L: Algebra, s: StepState) -> Bool:
    """A lower added slot holds an earlier arrival."""

    def ordered(i: Int, j: Int) -> Bool:
        one, other = L.at(s.record.added, i), L.at(s.record.added, j)
        return L.implies(
            L.all_of(i < j, one != EMPTY, other != EMPTY),
            L.at(s.plan.arrival_of, one) < L.at(s.plan.arrival_of, other),
        )

    return L.every_slot(ordered)


def refilled_are_the_lowest_finished(L: Algebra, s: StepState) -> Bool:
    """Below a refilled or new slot every finished slot was refilled."""
    return L.every_slot(
        lambda i, j: L.implies(
            L.all_of(L.at(s.plan.finished, i), i < j, L.at(s.record.added, j) != EMPTY),
            L.at(s.record.added, i) != EMPTY,
        )
    )


def removes_are_above_refills(L: Algebra, s: StepState) -> Bool:
    """A removed slot is greater than every slot with an Add, and no arrival still waits."""
    return L.every_slot(
        lambda i, j: L.implies(
            L.at(s.record.removed, i),
            L.all_of(s.taken == s.plan.arrival_count, L.implies(L.at(s.record.added, j) != EMPTY, j < i)),
        )
    )


def extension_is_consecutive(L: Algebra, s: StepState) -> Bool:
    """From the old size on, a slot was added iff it lies below the new size."""
    return L.every_slot(
        lambda i: L.implies(
            L.any_of(i < 0, i >= s.plan.old.size),
            L.same(L.at(s.record.added, i) != EMPTY, L.all_of(i >= 0, i < s.batch.size)),
        )
    )


def no_move_yet(L: Algebra, s: StepState) -> Bool:
    """No move, no swap, no hole filled."""
    return L.all_of(
        s.record.moves.length == 0,
        s.condensed == 0,
        s.swapped == 0,
        L.every_slot(lambda i: L.at(s.record.filler, i) == NOWHERE),
    )


FILLING: Invariant = (
    plan_stays_possible,
    batch_is_well_formed,
    conserved,
    cursors_in_fill,
    slots_follow_the_record,
    record_is_exact,
    added_are_the_taken_arrivals,
    every_taken_arrival_was_added_once,
    arrivals_are_added_in_order,
    refilled_are_the_lowest_finished,
    removes_are_above_refills,
    extension_is_consecutive,
    no_move_yet,
)
"""Fill, extend and remove."""
