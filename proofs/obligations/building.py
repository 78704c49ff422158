"""B1, B2, B3, B8: the new requests take the finished slots from below, then the end; the rest are removed."""

from __future__ import annotations

from collections.abc import Iterator

from logitproof.model.fill import arrivals_waiting, slots_ahead
from logitproof.model.step_state import Plan, StepState
from logitproof.spec.algebra import EMPTY, Algebra, Bool

from .. import invariants as I
from ..obligation import Case, Condition, kept_by, lowers, obligation, set_up_by, stops_only_when

RULES = ("keep", "refill", "extend", "retire")


def _through_fill_and_remove(*claims: Condition) -> Iterator[Case]:
    yield set_up_by("begin", Plan, (I.plan_is_possible,), *claims)
    for rule in RULES:
        yield kept_by(rule, StepState, I.FILLING, *claims)


@obligation("B8")
def fill_and_remove_keep_the_batch_well_formed() -> Iterator[Case]:
    """For every possible plan: throughout fill, extend and remove the batch is well-formed and the cursors in range."""
    yield from _through_fill_and_remove(I.plan_stays_possible, I.batch_is_well_formed, I.cursors_in_fill)


@obligation("B8")
def nobody_is_lost_or_doubled_while_filling_and_removing() -> Iterator[Case]:
    """For every request: it is in the batch iff it was and has not been passed as finished, or has arrived."""
    yield from _through_fill_and_remove(I.conserved, I.added_are_the_taken_arrivals)


@obligation("B1", "B3")
def every_finished_slot_is_refilled_or_removed() -> Iterator[Case]:
    """For every slot the cursor has passed: refilled or removed if finished, not both, and neither if not finished."""
    yield from _through_fill_and_remove(I.record_is_exact)


@obligation("B1")
def refilled_slots_are_the_lowest_finished_ones() -> Iterator[Case]:
    """For every two slots i < j with i finished: if j received an Add, so did i."""
    yield from _through_fill_and_remove(I.refilled_are_the_lowest_finished)


@obligation("B1")
def arrivals_are_added_in_ascending_slot_order() -> Iterator[Case]:
    """For every two slots with an Add: the lower one holds the earlier arrival."""
    yield from _through_fill_and_remove(I.arrivals_are_added_in_order)


@obligation("B1")
def every_arrival_is_added_exactly_once() -> Iterator[Case]:
    """For every plan: arrivals taken and slots with an Add correspond one to one."""
    yield from _through_fill_and_remove(I.every_taken_arrival_was_added_once)


@obligation("B2")
def extension_is_consecutive() -> Iterator[Case]:
    """For every slot from the old size on: it received an Add iff it lies below the new size."""
    yield from _through_fill_and_remove(I.extension_is_consecutive)


@obligation("B3")
def surviving_removes_are_greater_than_every_refilled_slot() -> Iterator[Case]:
    """For every removed slot: it lies above every slot with an Add, and no arrival was left waiting."""
    yield from _through_fill_and_remove(I.removes_are_above_refills)


@obligation("A2", "C1")
def an_add_records_the_index_before_any_move() -> Iterator[Case]:
    """Throughout fill, extend and remove: every slot holds what the record says was added there, and no move has been
    recorded, so the recorded index is the one before all moves."""
    yield from _through_fill_and_remove(I.slots_follow_the_record, I.no_move_yet)


@obligation("B1")
def fill_terminates() -> Iterator[Case]:
    """Every firing of the fill loop's rules lowers the number of slots ahead of the cursor, which stays >= 0."""
    for rule in ("keep", "refill"):
        yield lowers(rule, StepState, I.FILLING, slots_ahead)


@obligation("B2")
def extend_terminates() -> Iterator[Case]:
    """Every firing of the extend rule lowers the number of waiting arrivals, which stays >= 0."""
    yield lowers("extend", StepState, I.FILLING, arrivals_waiting)


@obligation("B3")
def remove_terminates() -> Iterator[Case]:
    """Every firing of the remove loop's rules lowers the number of slots ahead of the cursor, which stays >= 0."""
    for rule in ("keep", "retire"):
        yield lowers(rule, StepState, I.FILLING, slots_ahead)


def _no_finished_slot_is_passed_over(L: Algebra, s: StepState) -> Bool:
    return L.any_of(
        s.cursor == s.plan.old.size,
        L.all_of(L.at(s.plan.finished, s.cursor), s.taken == s.plan.arrival_count),
    )


@obligation("B1")
def fill_stops_only_when_slots_or_arrivals_run_out() -> Iterator[Case]:
    """When no fill rule may fire, every old slot has been passed, or a finished slot finds no arrival left."""
    yield stops_only_when(("keep", "refill"), StepState, I.FILLING, _no_finished_slot_is_passed_over)


@obligation("B2")
def extend_stops_only_when_every_arrival_has_a_slot() -> Iterator[Case]:
    """Once every old slot has been passed, the extend rule may not fire only if no arrival waits."""
    all_passed: Condition = lambda L, s: s.cursor == s.plan.old.size  # noqa: E731
    yield stops_only_when(
        ("extend",), StepState, (*I.FILLING, all_passed), lambda L, s: s.taken == s.plan.arrival_count
    )


@obligation("B3")
def remove_stops_only_when_every_old_slot_is_passed() -> Iterator[Case]:
    """Once no arrival waits, the remove rules may not fire only if every old slot has been passed."""
    none_waits: Condition = lambda L, s: s.taken == s.plan.arrival_count  # noqa: E731
    yield stops_only_when(
        ("keep", "retire"), StepState, (*I.FILLING, none_waits), lambda L, s: s.cursor == s.plan.old.size
    )


def _nothing_removed_if_extended(L: Algebra, s: StepState) -> Bool:
    return L.implies(
        s.batch.size > s.plan.old.size,
        L.every_slot(
            lambda i: L.all_of(
                L.negate(L.at(s.record.removed, i)),
                L.implies(L.at(s.plan.finished, i), L.at(s.record.added, i) != EMPTY),
            )
        ),
    )


@obligation("B2", "B3")
def a_batch_that_grows_removes_nobody() -> Iterator[Case]:
    """If the batch was extended, no slot was removed and every finished slot was refilled."""
    yield from _through_fill_and_remove(_nothing_removed_if_extended)


@obligation("B1", "B2", "B3")
def membership_is_settled_when_no_rule_may_fire() -> Iterator[Case]:
    """When none of the four rules may fire, every old slot has been passed and every arrival has a slot."""
    yield stops_only_when(RULES, StepState, I.FILLING, I.membership_is_settled)
