"""The scheduler: rules fire one at a time until none may, are watched, and a broken one is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from logitproof.model.concrete import CONCRETE
from logitproof.model.condense import CONDENSE
from logitproof.model.fill import EXTEND, FILL, REMOVE
from logitproof.model.reorder import REORDER
from logitproof.model.rule import Firing, Loop, LoopDoesNotEnd, run
from logitproof.model.step import make_plan, run_plan, step
from logitproof.model.step_state import begin


def ahead(L, s):
    return s.plan.old.size - s.cursor


def one(L, s):
    return Firing(s.cursor < s.plan.old.size, lambda: replace(s, cursor=s.cursor + 1))


def stuck(L, s):
    return Firing(s.cursor == 1, lambda: s)


def test_the_first_rule_that_may_fire_does_until_none_may():
    seen = []
    end = run(Loop("walk", (one,), ahead), _start(3), lambda rule, s: seen.append((rule, s.cursor)))
    assert seen == [(one, 0), (one, 1), (one, 2)]
    assert end.cursor == 3


def test_a_loop_whose_guards_do_not_hold_changes_nothing():
    start = _start(0)
    assert run(Loop("walk", (one,), ahead), start) is start


def test_a_rule_that_does_not_lower_the_rank_is_named():
    with pytest.raises(LoopDoesNotEnd, match="rule stuck of loop walk"):
        run(Loop("walk", (stuck, one), ahead), _start(3))


def _start(size):
    return begin(CONCRETE, make_plan(size, [], 0, []))


@pytest.mark.law("B1", "B2", "B3", "B4", "B6")
def test_the_phases_of_a_step_come_in_the_contracts_order():
    fired = []
    step("ABCDE", "ABC", "X", [(0, 1)], watch=lambda rule, s: fired.append(rule.__name__))
    removing, condensing = ["retire", "retire", "keep", "keep"], ["advance", "move_down", "move_down"]
    assert fired == ["refill", *removing, *condensing, "exchange"]


@pytest.mark.law("B9")
@pytest.mark.parametrize("loop", [FILL, EXTEND, REMOVE, CONDENSE, REORDER], ids=lambda loop: loop.name)
def test_the_rank_of_each_loop_falls_with_every_firing_and_stays_above_zero(loop):
    plans = [make_plan(6, [0, 2, 4, 5], 1, [(0, 1), (1, 2)]), make_plan(2, [0], 3, [(0, 1)])]
    ranks = []

    def watch(rule, s):
        if rule in loop.rules:
            ranks[-1].append(loop.rank(CONCRETE, s))

    for plan in plans:
        ranks.append([])
        run_plan(plan, watch)
        assert ranks[-1] == sorted(ranks[-1], reverse=True)
        assert all(rank > 0 for rank in ranks[-1])
    assert any(ranks)
