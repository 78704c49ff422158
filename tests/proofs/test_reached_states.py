"""The loop invariants, evaluated on the states that whole steps really go through."""

from __future__ import annotations

from itertools import product

import pytest

from logitproof.model.concrete import CONCRETE
from logitproof.model.condense import CONDENSE
from logitproof.model.fill import EXTEND, FILL, REMOVE
from logitproof.model.reorder import REORDER
from logitproof.model.step import make_plan, run_plan
from logitproof.model.step_state import Plan, StepState, begin
from logitproof.proofs import invariants as I
from logitproof.proofs.obligations.announcing import FINISHED
from logitproof.proofs.reachable import ARRIVALS, BOUND, READING, SLOTS, fired, plans, states

KEPT_IN = {
    **dict.fromkeys((*FILL.rules, *EXTEND.rules, *REMOVE.rules), I.FILLING),
    **dict.fromkeys(CONDENSE.rules, I.CONDENSING),
    **dict.fromkeys(REORDER.rules, I.REORDERING),
}
"""The invariant that holds whenever a rule is about to fire."""


@pytest.fixture(scope="module")
def watched():
    """Every state of every small step with the invariant that it must satisfy."""
    seen = []
    for plan in plans():
        seen.append((I.FILLING, begin(CONCRETE, plan)))
        end = run_plan(plan, lambda rule, s: seen.append((KEPT_IN[rule], s)))
        seen.append((FINISHED if end.swapped == plan.swap_count else I.REORDERING, end))
    return seen


@pytest.mark.law("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B6", "B8", "B9")
@pytest.mark.parametrize("kind", [I.FILLING, I.CONDENSING, I.REORDERING, FINISHED], ids="FCRE")
def test_every_state_on_the_way_satisfies_its_invariant(watched, kind):
    states_of_kind = [state for invariant, state in watched if invariant is kind]
    assert len(states_of_kind) > 50
    for state in states_of_kind:
        broken = [condition.__name__ for condition in kind if not condition(READING, state)]
        assert not broken, state


def test_every_plan_is_possible():
    assert all(I.plan_is_possible(READING, plan) for plan in states()[Plan])


IMPOSSIBLE = {
    "a finished slot past the end": {"finished": CONCRETE.put(CONCRETE.everywhere(False), 2, True)},
    "an arrival that is there": {"arrivals": CONCRETE.put(CONCRETE.everywhere(-1), 0, 1)},
    "fewer than no arrivals": {"arrival_count": -1},
    "an arrival without its ordinal": {"arrival_of": CONCRETE.everywhere(-1)},
}


@pytest.mark.parametrize("change", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_an_impossible_plan_is_not_possible(change):
    plan = make_plan(2, [0], 1, [])
    fields = {name: getattr(plan, name) for name in plan.__dataclass_fields__}
    assert I.plan_is_possible(READING, plan)
    assert not I.plan_is_possible(READING, Plan(**fields | change))


def test_the_plans_are_all_of_them():
    seen = {
        (plan.old.size, tuple(plan.finished.keys_where(bool)), plan.arrival_count, plan.swap_count)
        for plan in states()[Plan]
    }
    subsets = sum(2**size for size in range(SLOTS + 1))
    assert len({plan[:3] for plan in seen}) == subsets * (ARRIVALS + 1)
    assert {swap_count for *_, swap_count in seen} == {0, 1, 2}
    assert all(s.batch.size < BOUND for s in states()[StepState])


def test_every_rule_fires():
    names = {rule.__name__ for loop in (FILL, EXTEND, REMOVE, CONDENSE, REORDER) for rule in loop.rules}
    assert {name for name, count in fired().items() if count > 0} == names


CONDITIONS = {condition for invariant in (I.FILLING, I.CONDENSING, I.REORDERING) for condition in invariant}


@pytest.mark.parametrize("condition", sorted(CONDITIONS, key=lambda c: c.__name__), ids=lambda c: c.__name__)
def test_every_condition_says_something(condition):
    """The end of some step, with one number or one cell changed, breaks it."""
    plans_with_everything = (make_plan(3, [0], 0, [(0, 1)]), make_plan(2, [0], 2, []))
    wrong = (state for plan in plans_with_everything for state in _wrong_states(run_plan(plan)))
    assert not all(condition(READING, state) for state in wrong)


def _wrong_states(state, wrap=lambda s: s):
    for name in state.__dataclass_fields__:
        term = getattr(state, name)

        def changed(value, name=name):
            fields = {other: getattr(state, other) for other in state.__dataclass_fields__}
            return wrap(type(state)(**fields | {name: value}))

        if hasattr(term, "__dataclass_fields__"):
            yield from _wrong_states(term, changed)
        elif isinstance(term, int):
            yield from (changed(term + delta) for delta in (-9, -1, 1, 9))
        else:
            for key, value in product(range(-1, BOUND), (-1, 0, 1, 5, True, False)):
                if isinstance(term.default, bool) == isinstance(value, bool):
                    yield changed(term.put(key, value))
