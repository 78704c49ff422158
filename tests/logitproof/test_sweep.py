"""Every history of a small scope: how many there are, that none is there twice, and what playing them finds."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from click.testing import CliRunner

from logitproof.cli import main
from logitproof.cli.exits import Exit
from logitproof.lockstep import Budget, History, Verdict
from logitproof.lockstep.exhaustive import every_history, how_many, reorderings
from logitproof.lockstep.history import first_fault
from logitproof.lockstep.scope import Scope, parse_scope
from logitproof.lockstep.sweep import sweep
from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import TargetError, load_target

EXAMPLE = Path(__file__).parents[2] / "examples" / "ban_token.py"
DIALECTS = (Dialect.DOCUMENTED, Dialect.ELIDED)

COUNTS = {
    Scope(slots=1, steps=1): 2,
    Scope(slots=1, steps=2): 8,
    Scope(slots=2, steps=1): 10,
    Scope(slots=2, steps=2): 216,
    Scope(slots=2, steps=3): 7_074,
    Scope(slots=3, steps=2): 10_536,
    Scope(slots=2, steps=2, kinds=1): 31,
}
"""Pinned: a scope that silently shrinks proves less. With one slot and one step one of two kinds comes: 2. With a
second step it stays, leaves, or makes room for one of two kinds: 2 * (1 + 1 + 2).
"""


def all_of(scope):
    world = History((), tuple(SamplingParams() for _ in range(scope.kinds)), ((1,),), slots=scope.slots)
    return list(every_history(scope, world))


@pytest.mark.parametrize(("scope", "count"), COUNTS.items(), ids=str)
def test_the_number_of_histories_is_known_without_going_through_them(scope, count):
    assert how_many(scope) == count
    assert len(all_of(scope)) == count


def canonical(history):
    """The steps with requests called by the order in which they come, whatever their names are."""
    number_of = {}
    for arrival in history.arrivals():
        number_of.setdefault(arrival.name, len(number_of))
    return tuple(
        (
            frozenset(number_of[name] for name in step.finished),
            frozenset(number_of[name] for name in step.unscheduled),
            tuple(arrival.params for arrival in step.new),
            tuple(number_of[name] for name in step.resumed),
            step.swaps,
        )
        for step in history.steps
    )


@pytest.mark.parametrize("scope", COUNTS, ids=str)
def test_no_history_is_there_twice_and_every_one_can_be_played(scope):
    histories = all_of(scope)
    assert len({canonical(history) for history in histories}) == len(histories)
    assert [history for history in histories if first_fault(history)] == []


def test_everything_that_an_engine_does_is_among_them():
    steps = [step for history in all_of(Scope(slots=3, steps=2)) for step in history.steps]
    assert any(len(step.finished) > 1 for step in steps)
    assert any(len(step.new) > 1 for step in steps)
    assert any(len(step.swaps) > 1 for step in steps), "a cycle through three slots"
    assert any(step.is_idle for step in steps)
    later = [step for history in all_of(Scope(slots=2, steps=3)) for step in history.steps]
    assert any(step.unscheduled for step in later)
    assert any(step.resumed and step.new for step in later)


@pytest.mark.parametrize("size", range(5))
def test_reorderings_lead_to_every_order(size):
    reached = set()
    for swaps in reorderings(size):
        order = list(range(size))
        for left, right in swaps:
            order[left], order[right] = order[right], order[left]
        reached.add(tuple(order))
    assert reached == {*permutations(range(size))}


@pytest.mark.law("D2", "D4")
def test_a_fault_within_the_scope_is_found():
    report = sweep(load_target(f"{EXAMPLE}:BanToken"), Scope(2, 2), DIALECTS, Budget())
    assert report.verdict is Verdict.FAILED
    assert len(report.caught[0].history.steps) == 2
    assert report.caught[0].history.dialect is Dialect.ELIDED


def test_a_clean_target_is_told_how_many_there_were(min_p):
    report = sweep(min_p, Scope(2, 2), DIALECTS, Budget())
    assert report.verdict is Verdict.CLEAN
    assert report.note.startswith("all 216 histories up to renaming of requests (2 slots, 2 steps, 2 kinds")
    assert "not tested: resume" in report.note
    assert report.histories == 216
    assert "8 of them again as another dialect tells them" in report.note


def test_a_scope_that_takes_too_long_says_how_far_it_came(min_p):
    report = sweep(min_p, Scope(3, 3), DIALECTS, Budget(max_time=1))
    assert report.verdict is Verdict.OUT_OF_TIME
    assert "of 4,039,458 histories up to renaming" in report.note


def test_more_kinds_than_the_target_has_are_refused():
    with pytest.raises(TargetError, match="needs 39 kinds of requests"):
        sweep(
            load_target("logitproof.impl.processors.min_p:MinPLogitsProcessor"),
            Scope(1, 1, 40),
            DIALECTS,
            Budget(),
        )


def test_a_scope_is_read():
    assert parse_scope("slots=3,steps=2") == Scope(3, 2)
    assert parse_scope(" steps=1, kinds=3, slots=2") == Scope(2, 1, 3)


@pytest.mark.parametrize(
    "text", ["", "3,3", "slots=3", "slots=0,steps=1", "slots=a,steps=1", "slots=1,step=1"]
)
def test_a_scope_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match="slots=3,steps=3"):
        parse_scope(text)


def test_the_command_counts_histories_and_shows_no_seed(in_empty_folder):
    spec = "logitproof.impl.processors.min_p:MinPLogitsProcessor"
    result = CliRunner().invoke(main, ["fuzz", spec, "--exhaustive", "slots=2,steps=2"])
    assert result.exit_code == Exit.HOLDS
    assert "all 216 histories of slots=2,steps=2 (documented, elided), float32" in result.stdout
    assert "CLEAN       216 histories, " in result.stdout
    assert "8 of them again as another dialect tells them" in " ".join(result.stdout.split())
    assert "seed" not in result.stdout
    told = CliRunner().invoke(main, ["fuzz", spec, "--exhaustive", "slots=2,steps=2", "--json"])
    assert json.loads(told.stdout)["seed"] is None
    refused = CliRunner().invoke(main, ["fuzz", spec, "--exhaustive", "slots=2,steps=2", "--seed", "1"])
    assert refused.exit_code == Exit.USAGE


def test_a_failure_of_the_command_names_no_seed(in_empty_folder):
    result = CliRunner().invoke(main, ["fuzz", f"{EXAMPLE}:BanToken", "--exhaustive", "slots=2,steps=2"])
    assert result.exit_code == Exit.BROKEN
    assert "seed" not in result.stdout
    (test,) = Path(".logitproof/failures").glob("test_*.py")
    assert "seed" not in test.read_text()
