"""B6: the backend's swaps leave the batch contiguous and complete."""

from __future__ import annotations

from collections.abc import Iterator

from logitproof.model.reorder import swaps_left
from logitproof.model.step_state import StepState
from logitproof.spec.algebra import Algebra, Bool, Int

from .. import invariants as I
from ..obligation import Case, kept_by, lowers, obligation, stops_only_when


@obligation("B6")
def contiguity_survives_every_sequence_of_swaps() -> Iterator[Case]:
    """If the batch is contiguous it still is after any swap of two live slots, hence after any sequence of them."""
    yield kept_by(
        "exchange", StepState, I.REORDERING, I.batch_is_contiguous, I.holes_below_the_size_are_filled
    )


@obligation("B6", "B8")
def swaps_lose_nobody() -> Iterator[Case]:
    """After any swap the batch is well-formed and holds exactly the requests that belong in it."""
    yield kept_by("exchange", StepState, I.REORDERING, *I.SETTLED)


@obligation("B6", "A4")
def swaps_are_recorded_in_order_after_the_condense_moves() -> Iterator[Case]:
    """After any swap the record is the condense moves followed by the plan's swaps, each between two live slots."""
    yield kept_by(
        "exchange",
        StepState,
        I.REORDERING,
        I.moves_and_filled_slots_match,
        I.moves_are_ordered,
        I.swaps_follow_the_plan,
    )


@obligation("B6")
def reorder_terminates() -> Iterator[Case]:
    """Every swap lowers the number of swaps left, which stays >= 0."""
    yield lowers("exchange", StepState, I.REORDERING, swaps_left)


def _no_swap_is_refused(L: Algebra, s: StepState) -> Bool:
    source, destination = L.at(s.plan.swap_source, s.swapped), L.at(s.plan.swap_destination, s.swapped)

    def live(slot: Int) -> Bool:
        return L.all_of(slot >= 0, slot < s.batch.size)

    return L.any_of(
        s.swapped == s.plan.swap_count,
        source == destination,
        L.negate(L.all_of(live(source), live(destination))),
    )


@obligation("B6")
def reorder_stops_only_at_a_swap_that_no_engine_could_ask_for() -> Iterator[Case]:
    """When the swap rule may not fire, all swaps are made, or the next one is not of two different live slots."""
    yield stops_only_when(("exchange",), StepState, I.REORDERING, _no_swap_is_refused)
