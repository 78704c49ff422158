"""What is true between two firings of a rule while the engine builds an update, loop by loop.

Each condition stands alone because some theorem is about it; together they are strong enough to be inductive.
"""

from .condensing import (
    CONDENSING,
    cursors_in_condense,
    filled_are_the_removed_below,
    holes_between_are_the_removed,
    live_below_empty_above,
    moves_and_filled_slots_match,
    moves_are_ordered,
    moves_close_in,
    only_condense_has_moved,
)
from .filling import (
    FILLING,
    arrivals_are_added_in_order,
    cursors_in_fill,
    extension_is_consecutive,
    no_move_yet,
    refilled_are_the_lowest_finished,
    removes_are_above_refills,
    slots_follow_the_record,
)
from .reordering import (
    REORDERING,
    batch_is_contiguous,
    holes_below_the_size_are_filled,
    swaps_follow_the_plan,
)
from .settled import (
    SETTLED,
    added_are_the_taken_arrivals,
    batch_is_well_formed,
    conserved,
    every_taken_arrival_was_added_once,
    membership_is_settled,
    plan_is_possible,
    plan_stays_possible,
    record_is_exact,
)

__all__ = [
    "CONDENSING",
    "FILLING",
    "REORDERING",
    "SETTLED",
    "added_are_the_taken_arrivals",
    "arrivals_are_added_in_order",
    "batch_is_contiguous",
    "batch_is_well_formed",
    "conserved",
    "cursors_in_condense",
    "cursors_in_fill",
    "every_taken_arrival_was_added_once",
    "extension_is_consecutive",
    "filled_are_the_removed_below",
    "holes_below_the_size_are_filled",
    "holes_between_are_the_removed",
    "live_below_empty_above",
    "membership_is_settled",
    "moves_and_filled_slots_match",
    "moves_are_ordered",
    "moves_close_in",
    "no_move_yet",
    "only_condense_has_moved",
    "plan_is_possible",
    "plan_stays_possible",
    "record_is_exact",
    "refilled_are_the_lowest_finished",
    "removes_are_above_refills",
    "slots_follow_the_record",
    "swaps_follow_the_plan",
]
