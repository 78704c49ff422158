"""What is true between two firings of a condense rule."""

from __future__ import annotations

from logitproof.model.step_state import StepState
from logitproof.spec.algebra import EMPTY, NOWHERE, Algebra, Bool

from ..obligation import Invariant
from .settled import SETTLED


def cursors_in_condense(L: Algebra, s: StepState) -> Bool:
    """`low` and `high` stay inside the batch and cross by one at most."""
    return L.all_of(s.low >= 0, s.high < s.batch.size, s.low <= s.high + 1, s.batch.size >= s.plan.old.size)


def live_below_empty_above(L: Algebra, s: StepState) -> Bool:
    """Everything below `low` is live, everything above `high` is empty."""
    return L.every_slot(
        lambda i: L.all_of(
            L.implies(L.all_of(i >= 0, i < s.low), L.at(s.batch.slots, i) != EMPTY),
            L.implies(i > s.high, L.at(s.batch.slots, i) == EMPTY),
        )
    )


def holes_between_are_the_removed(L: Algebra, s: StepState) -> Bool:
    """Between the cursors a slot is empty iff it was removed in this step."""
    return L.every_slot(
        lambda i: L.implies(
            L.all_of(s.low <= i, i <= s.high),
            L.same(L.at(s.batch.slots, i) == EMPTY, L.at(s.record.removed, i)),
        )
    )


def filled_are_the_removed_below(L: Algebra, s: StepState) -> Bool:
    """A move has filled exactly the removed slots below `low`."""
    return L.every_slot(
        lambda i: L.same(
            L.at(s.record.filler, i) != NOWHERE,
            L.all_of(L.at(s.record.removed, i), i < s.low),
        )
    )


def moves_and_filled_slots_match(L: Algebra, s: StepState) -> Bool:
    """Condense moves and filled slots correspond one to one, so there are equally many."""
    moves = s.record.moves
    return L.all_of(
        s.condensed >= 0,
        L.every_ordinal(
            lambda t: L.implies(t < s.condensed, L.at(s.record.filler, L.at(moves.destination, t)) == t)
        ),
        L.every_slot(
            lambda i: L.implies(
                L.at(s.record.filler, i) != NOWHERE,
                L.all_of(
                    L.at(s.record.filler, i) >= 0,
                    L.at(s.record.filler, i) < s.condensed,
                    L.at(moves.destination, L.at(s.record.filler, i)) == i,
                ),
            )
        ),
    )


def moves_close_in(L: Algebra, s: StepState) -> Bool:
    """Condense moves are one-way; their destinations lie below `low`, their sources above `high`."""
    moves = s.record.moves
    return L.every_ordinal(
        lambda t: L.implies(
            t < s.condensed,
            L.all_of(
                L.at(moves.one_way, t),
                L.at(moves.destination, t) >= 0,
                L.at(moves.destination, t) < s.low,
                L.at(moves.source, t) > s.high,
            ),
        )
    )


def moves_are_ordered(L: Algebra, s: StepState) -> Bool:
    """Destinations ascend, sources descend, and every source lies above every destination."""
    moves = s.record.moves
    return L.every_ordinal(
        lambda t, u: L.implies(
            L.all_of(t < s.condensed, u < s.condensed),
            L.all_of(
                L.at(moves.source, t) > L.at(moves.destination, u),
                L.implies(
                    t < u,
                    L.all_of(
                        L.at(moves.destination, t) < L.at(moves.destination, u),
                        L.at(moves.source, t) > L.at(moves.source, u),
                    ),
                ),
            ),
        )
    )


def only_condense_has_moved(L: Algebra, s: StepState) -> Bool:
    """Every move so far is a condense move."""
    return L.all_of(s.record.moves.length == s.condensed, s.swapped == 0)


CONDENSING: Invariant = (
    *SETTLED,
    cursors_in_condense,
    live_below_empty_above,
    holes_between_are_the_removed,
    filled_are_the_removed_below,
    moves_and_filled_slots_match,
    moves_close_in,
    moves_are_ordered,
    only_condense_has_moved,
)
