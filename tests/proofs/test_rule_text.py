"""What the obligations take for granted about the text of a rule, since no state can show it.

A rule is a straight line: z3 reads `if a == b` as a comparison of terms, which is False, and would prove one branch
only. And a rule leaves alone what its phase may not change: the plan is data, and the record is settled by the time
that condense begins; every invariant is relative to them.
"""

from __future__ import annotations

import ast
import inspect
import textwrap

import pytest

from logitproof.model import announce, step_state
from logitproof.model.step_state import StepState
from logitproof.proofs.obligation import MODEL_TEXT
from logitproof.proofs.symbolic import Unbounded

BRANCHES = (
    *(ast.If, ast.IfExp, ast.BoolOp, ast.Not, ast.Match, ast.Assert, ast.Try, ast.With),
    *(ast.For, ast.While, ast.comprehension, ast.Is, ast.IsNot, ast.In, ast.NotIn),
)
TEXT = {
    **MODEL_TEXT,
    "append_move": step_state.append_move,
    "nothing_to_announce": announce.nothing_to_announce,
}
CALLED = {
    *("Firing", "StepState", "Record", "Moves", "replace"),
    *("add", "remove", "move", "swap", "append_move", "announced"),
}
"""What a rule may call besides its algebra: constructors, and functions that are themselves in `TEXT`."""


@pytest.mark.parametrize("name", TEXT)
def test_a_rule_is_a_straight_line(name):
    tree = ast.parse(textwrap.dedent(inspect.getsource(TEXT[name])))
    branches = [ast.unparse(node) for node in ast.walk(tree) if isinstance(node, BRANCHES)]
    chained = [ast.unparse(n) for n in ast.walk(tree) if isinstance(n, ast.Compare) and len(n.ops) > 1]
    assert not branches
    assert not chained


@pytest.mark.parametrize("name", TEXT)
def test_a_rule_calls_only_its_algebra_and_what_is_read_here_too(name):
    tree = ast.parse(textwrap.dedent(inspect.getsource(TEXT[name])))
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    of_algebra = [f for f in called if isinstance(f, ast.Attribute) and ast.unparse(f.value) == "L"]
    others = {ast.unparse(f) for f in called if f not in of_algebra}
    assert others <= CALLED


FILLING = ("keep", "refill", "extend", "retire")
CLOSING = ("open_condense", "advance", "retreat", "move_down", "shrink", "exchange")


def after(name):
    """An arbitrary state, and what a rule or transition makes of it."""
    L = Unbounded()
    state = L.fresh(StepState)
    made = MODEL_TEXT[name](L, state)
    return state, made if isinstance(made, StepState) else made.effect()


@pytest.mark.law("B6", "B8")
@pytest.mark.parametrize("name", [*FILLING, *CLOSING])
def test_no_rule_touches_the_plan(name):
    before, made = after(name)
    assert made.plan is before.plan


@pytest.mark.law("B1", "B2", "B3", "C2")
@pytest.mark.parametrize("name", CLOSING)
@pytest.mark.parametrize("part", ["added", "placed", "removed"])
def test_no_rule_changes_the_adds_and_removes_once_they_are_settled(name, part):
    before, made = after(name)
    assert getattr(made.record, part) is getattr(before.record, part)


@pytest.mark.law("B5", "C2")
@pytest.mark.parametrize("name", ["open_condense", "advance", "retreat", "shrink"])
def test_no_request_moves_without_a_recorded_move(name):
    before, made = after(name)
    assert made.batch.slots is before.batch.slots
    assert made.batch.where is before.batch.where
    assert made.record is before.record
