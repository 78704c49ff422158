"""What a rule leaves alone: the plan always, the record of adds and removes once they are settled, the slots mostly.

Every invariant is relative to the plan and to the record; a rule that changed them would move its own goal posts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from logitproof.model.sorts import COUNT, FLAG, SLOT, leaves, nested, number
from logitproof.model.step_state import Moves, Plan, StepState
from logitproof.spec.algebra import Algebra, Bool, Int

from .. import invariants as I
from ..obligation import Case, Condition, Sequent, Text, holds, kept_by, obligation, stops_only_when

SLOTS = ("batch.slots", "batch.where")
MOVES = ("record.moves.source", "record.moves.destination", "record.moves.one_way", "record.moves.length")
ADDS = (*SLOTS, "batch.size", "record.added", "record.placed", "taken")

MAY_CHANGE: dict[str, tuple[str, ...]] = {
    "keep": ("cursor",),
    "refill": (*ADDS, "cursor"),
    "extend": ADDS,
    "retire": (*SLOTS, "record.removed", "cursor"),
    "open_condense": ("low", "high"),
    "advance": ("low",),
    "retreat": ("high",),
    "move_down": (*SLOTS, *MOVES, "record.filler", "low", "high", "condensed"),
    "shrink": ("batch.size",),
    "exchange": (*SLOTS, *MOVES, "swapped"),
}
"""The terms of a state that each rule and transition may change; every other one it must leave as it is."""
TRANSITIONS = ("open_condense", "shrink")
RULES = tuple(name for name in MAY_CHANGE if name not in TRANSITIONS)
"""What has a guard. Written down here rather than read off the loops, so that a rule which no loop fires is missed."""


def _others_unchanged(L: Algebra, before: StepState, after: StepState, changed: tuple[str, ...]) -> Bool:
    now = {name: term for name, _, term in leaves(after)}
    return L.all_of(*(now[name] == term for name, _, term in leaves(before) if name not in changed))


@obligation("B8", "C2")
def every_rule_changes_only_what_is_its_own() -> Iterator[Case]:
    """For every state and every rule: the plan is never changed; what was added and removed is settled once condense
    begins; requests change slots only where a move is recorded."""

    def begins_with_the_plan(L: Algebra, text: Text, plan: Plan) -> Sequent:
        after = {name: term for name, _, term in leaves(text.begin(L, plan).plan)}
        return Sequent(list, lambda: L.all_of(*(after[name] == term for name, _, term in leaves(plan))))

    yield Case(("begin",), Plan, begins_with_the_plan)
    for rule, changed in MAY_CHANGE.items():

        def statement(
            L: Algebra, text: Text, s: StepState, rule: str = rule, changed: tuple[str, ...] = changed
        ) -> Sequent:
            made = getattr(text, rule)(L, s)
            if rule in TRANSITIONS:
                return Sequent(list, lambda: _others_unchanged(L, s, made, changed))
            return Sequent(
                list, lambda: _others_unchanged(L, s, made.effect(), changed), lambda: [made.guard]
            )

        yield Case((rule,), StepState, statement)


@dataclass(frozen=True, slots=True)
class Recording:
    """An arbitrary list of moves and one more to come."""

    moves: Moves = nested(Moves)
    source: Int = number(SLOT)
    destination: Int = number(SLOT)
    one_way: Bool = number(FLAG)
    earlier: Int = number(COUNT)


@obligation("C1")
def recording_a_move_puts_it_last_and_keeps_the_earlier_ones() -> Iterator[Case]:
    """For every list of moves: the new one is at its end, the list is one longer, and no earlier entry changes."""

    def statement(L: Algebra, text: Text, r: Recording) -> Sequent:
        def recorded() -> Bool:
            after = text.append_move(L, r.moves, r.source, r.destination, r.one_way)
            last = r.moves.length
            return L.all_of(
                after.length == last + 1,
                L.at(after.source, last) == r.source,
                L.at(after.destination, last) == r.destination,
                L.same(L.at(after.one_way, last), r.one_way),
                L.implies(
                    r.earlier < last,
                    L.all_of(
                        L.at(after.source, r.earlier) == L.at(r.moves.source, r.earlier),
                        L.at(after.destination, r.earlier) == L.at(r.moves.destination, r.earlier),
                        L.same(L.at(after.one_way, r.earlier), L.at(r.moves.one_way, r.earlier)),
                    ),
                ),
            )

        return Sequent(lambda: [r.earlier >= 0, r.moves.length >= 0], recorded)

    yield Case(("append_move",), Recording, statement)


def no_arrival_waits(L: Algebra, s: StepState) -> Bool:
    """Every arrival has a slot."""
    return s.taken == s.plan.arrival_count


@obligation("B1", "B2", "B3")
def fill_extend_and_remove_hand_over() -> Iterator[Case]:
    """When fill and extend have stopped no arrival waits; extending wakes no fill rule; removing makes no one wait."""
    yield stops_only_when(("keep", "refill", "extend"), StepState, I.FILLING, no_arrival_waits)

    def extend_wakes_no_fill_rule(L: Algebra, text: Text, s: StepState) -> Sequent:
        def idle(state: StepState) -> Bool:
            return L.all_of(*(L.negate(getattr(text, rule)(L, state).guard) for rule in ("keep", "refill")))

        firing = text.extend(L, s)
        return Sequent(
            lambda: holds(L, I.FILLING, s), lambda: idle(firing.effect()), lambda: [firing.guard, idle(s)]
        )

    yield Case(("extend",), StepState, extend_wakes_no_fill_rule)
    waiting_over: tuple[Condition, ...] = (*I.FILLING, no_arrival_waits)
    for rule in ("keep", "retire"):
        yield kept_by(rule, StepState, waiting_over, no_arrival_waits)
