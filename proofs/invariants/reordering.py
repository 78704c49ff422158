"""What is true between two swaps."""

from __future__ import annotations

from logitproof.model.step_state import StepState
from logitproof.spec.algebra import NOWHERE, Algebra, Bool
from logitproof.spec.invariants import contiguous

from ..obligation import Invariant
from .condensing import moves_and_filled_slots_match, moves_are_ordered
from .settled import SETTLED


def batch_is_contiguous(L: Algebra, s: StepState) -> Bool:
    """A slot is live iff its index is below the size."""
    return contiguous(L, s.batch)


def holes_below_the_size_are_filled(L: Algebra, s: StepState) -> Bool:
    """A move has filled exactly the removed slots below the final size."""
    return L.every_slot(
        lambda i: L.same(
            L.at(s.record.filler, i) != NOWHERE,
            L.all_of(L.at(s.record.removed, i), i < s.batch.size),
        )
    )


def swaps_follow_the_plan(L: Algebra, s: StepState) -> Bool:
    """After the condense moves come the plan's swaps, in order, each between two different live slots."""
    moves = s.record.moves
    return L.all_of(
        s.swapped >= 0,
        s.swapped <= s.plan.swap_count,
        moves.length == s.condensed + s.swapped,
        L.every_ordinal(
            lambda t: L.implies(
                t < s.swapped,
                L.all_of(
                    L.negate(L.at(moves.one_way, s.condensed + t)),
                    L.at(moves.source, s.condensed + t) == L.at(s.plan.swap_source, t),
                    L.at(moves.destination, s.condensed + t) == L.at(s.plan.swap_destination, t),
                    L.at(s.plan.swap_source, t) >= 0,
                    L.at(s.plan.swap_source, t) < s.batch.size,
                    L.at(s.plan.swap_destination, t) >= 0,
                    L.at(s.plan.swap_destination, t) < s.batch.size,
                    L.at(s.plan.swap_source, t) != L.at(s.plan.swap_destination, t),
                ),
            )
        ),
    )


REORDERING: Invariant = (
    *SETTLED,
    batch_is_contiguous,
    holes_below_the_size_are_filled,
    moves_and_filled_slots_match,
    moves_are_ordered,
    swaps_follow_the_plan,
)
