"""B4, B5, B9: condense closes every hole by few, ordered, downward moves; shrink cuts the empty end off."""

from __future__ import annotations

from collections.abc import Iterator

from logitproof.model.condense import span
from logitproof.model.step_state import StepState
from logitproof.spec.algebra import Algebra, Bool

from .. import invariants as I
from ..obligation import Case, Condition, Invariant, kept_by, lowers, obligation, set_up_by, stops_only_when

RULES = ("advance", "retreat", "move_down")
ENTRY: Invariant = (*I.FILLING, I.membership_is_settled)
"""What fill, extend and remove leave behind."""


def crossed(L: Algebra, s: StepState) -> Bool:
    """The cursors have met and passed each other."""
    return s.low == s.high + 1


CONDENSED: Invariant = (*I.CONDENSING, crossed)
"""What condense leaves behind."""


def _through_condense(*claims: Condition) -> Iterator[Case]:
    yield set_up_by("open_condense", StepState, ENTRY, *claims)
    for rule in RULES:
        yield kept_by(rule, StepState, I.CONDENSING, *claims)


@obligation("B8")
def condense_keeps_the_batch_well_formed_and_conserved() -> Iterator[Case]:
    """Throughout condense the batch is well-formed and holds exactly the requests that belong in it."""
    yield from _through_condense(*I.SETTLED)


@obligation("B4")
def condense_keeps_live_below_and_empty_above() -> Iterator[Case]:
    """Throughout condense all slots below the low cursor are live and all above the high cursor are empty."""
    yield from _through_condense(I.cursors_in_condense, I.live_below_empty_above)


@obligation("B4", "B9")
def condense_fills_exactly_the_removed_slots_below() -> Iterator[Case]:
    """Throughout condense the holes between the cursors are the removed slots, and those below `low` are filled."""
    yield from _through_condense(I.holes_between_are_the_removed, I.filled_are_the_removed_below)


@obligation("B9")
def condense_makes_one_move_per_hole() -> Iterator[Case]:
    """Throughout condense moves and filled holes correspond one to one; every move so far is a condense move."""
    yield from _through_condense(I.moves_and_filled_slots_match, I.only_condense_has_moved)


@obligation("B4", "B9")
def condense_moves_downwards_and_each_request_at_most_once() -> Iterator[Case]:
    """For all condense moves: one-way, destinations ascend, sources descend, and no source is ever a destination."""
    yield from _through_condense(I.moves_close_in, I.moves_are_ordered)


@obligation("B9")
def condense_terminates() -> Iterator[Case]:
    """Every firing of a condense rule lowers the number of slots between the cursors, which stays >= 0."""
    for rule in RULES:
        yield lowers(rule, StepState, I.CONDENSING, span)


@obligation("B4")
def condense_leaves_no_hole() -> Iterator[Case]:
    """When no condense rule may fire, the cursors have crossed: no live slot lies above an empty one."""
    yield stops_only_when(RULES, StepState, I.CONDENSING, crossed)


@obligation("B5", "B4")
def the_batch_is_contiguous_after_condense_and_shrink() -> Iterator[Case]:
    """After shrink a slot is live iff its index is below batch_size, so batch_size counts the live requests: the ghost
    map is a bijection between them and the indices below it."""
    yield set_up_by("shrink", StepState, CONDENSED, *I.SETTLED, I.batch_is_contiguous)


@obligation("B9")
def moves_are_as_many_as_holes_below_the_final_size() -> Iterator[Case]:
    """After shrink a slot was filled by a move iff it was removed and lies below the final size."""
    yield set_up_by(
        "shrink",
        StepState,
        CONDENSED,
        I.holes_below_the_size_are_filled,
        I.moves_and_filled_slots_match,
        I.moves_are_ordered,
        I.swaps_follow_the_plan,
    )
