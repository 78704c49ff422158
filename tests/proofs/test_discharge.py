"""What the solver makes of a case: proved, refuted by a state that reproduces, unknown, vacuous, or an error."""

from __future__ import annotations

from dataclasses import replace

import pytest

from logitproof.model.batch import Batch, remove
from logitproof.model.step_state import StepState
from logitproof.proofs import Obligation, Verdict
from logitproof.proofs import discharge as module
from logitproof.proofs.check import _theorem
from logitproof.proofs.counterexample import draw
from logitproof.proofs.discharge import discharge, reproduces
from logitproof.proofs.obligation import Case, Sequent, Text, kept_by, set_up_by
from logitproof.proofs.obligations.operations import Operands
from logitproof.proofs.symbolic import FiniteScope
from logitproof.spec.algebra import EMPTY
from logitproof.spec.invariants import well_formed


@pytest.fixture(autouse=True)
def _budget_of_a_few_proofs(monkeypatch):
    """A false case spends all of it before a counterexample is looked for; the proofs here need far less."""
    monkeypatch.setattr(module, "SOLVER_BUDGET", 500_000)


def case(*assumed, claim):
    """A case about an arbitrary batch, two slots and a request."""
    return Case(
        ("swap",),
        Operands,
        lambda L, text, o: Sequent(lambda: [each(L, o) for each in assumed], lambda: claim(L, o)),
    )


def live(L, o):
    return L.at(o.batch.slots, o.index) != EMPTY


def formed(L, o):
    return well_formed(L, o.batch)


TRUE = case(formed, live, claim=lambda L, o: o.index < o.batch.size)
FALSE = case(formed, live, claim=lambda L, o: o.index < o.batch.size - 1)
FALSE_FROM_THREE_ON = case(formed, claim=lambda L, o: o.batch.size < 3)
TOO_LARGE_TO_SEE = case(formed, claim=lambda L, o: o.batch.size < 100)
CONTRADICTORY = case(formed, lambda L, o: o.index > 0, lambda L, o: o.index < 0, claim=live)


def test_a_true_case_is_proved():
    assert discharge(TRUE) == module.Finding(Verdict.PROVED)


def test_a_false_case_is_refuted_in_the_smallest_scope_by_a_state_that_reproduces():
    finding = discharge(FALSE)
    assert finding.verdict is Verdict.REFUTED
    found = finding.counterexample
    assert found.scope == 1
    o = found.state
    assert o.batch.slots[o.index] != EMPTY
    assert o.index == o.batch.size - 1
    assert reproduces(FALSE, o, FiniteScope(found.scope).executed())
    assert not reproduces(TRUE, o, FiniteScope(found.scope).executed())


def test_a_case_that_fails_from_three_slots_on_is_refuted_in_scope_three():
    found = discharge(FALSE_FROM_THREE_ON).counterexample
    assert (found.scope, found.state.batch.size) == (3, 3)


def test_a_case_that_fails_only_beyond_every_scope_is_unknown():
    finding = discharge(TOO_LARGE_TO_SEE)
    assert (finding.verdict, finding.counterexample) == (Verdict.UNKNOWN, None)
    assert finding.reason == "neither proved nor refuted up to scope 4"


@pytest.mark.parametrize("budget", [1, 50])
def test_a_spent_budget_is_unknown(monkeypatch, budget):
    monkeypatch.setattr(module, "SOLVER_BUDGET", budget)
    finding = discharge(FALSE)
    assert finding.verdict is Verdict.UNKNOWN
    assert finding.reason.startswith("scope 1: ")


def test_a_counterexample_that_does_not_reproduce_is_an_error(monkeypatch):
    monkeypatch.setattr(module, "reproduces", lambda *ignored: False)
    finding = discharge(FALSE)
    assert finding.verdict is Verdict.ERROR
    assert "does not reproduce" in finding.reason


def settle(one):
    return _theorem(Obligation("hand_made", "Hand-made.", ("A1",), (one,)))


def test_contradictory_assumptions_prove_anything_and_are_vacuous():
    assert discharge(CONTRADICTORY).verdict is Verdict.PROVED
    finding = settle(CONTRADICTORY)
    assert finding.verdict is Verdict.VACUOUS
    assert "no step reaches its assumptions" in finding.reason


def test_assumptions_that_no_step_reaches_are_vacuous():
    unreached = case(formed, lambda L, o: o.batch.size == 50, claim=lambda L, o: o.batch.size > 49)
    assert settle(unreached).verdict is Verdict.VACUOUS
    assert settle(TRUE).verdict is Verdict.PROVED


def test_a_case_that_raises_is_an_error_with_its_reason():
    def broken(L, o):
        raise LookupError("no such thing")

    finding = settle(case(claim=broken))
    assert (finding.verdict, finding.reason) == (Verdict.ERROR, "LookupError: no such thing")


def test_a_counterexample_is_drawn_as_the_batch_before_and_after_the_rule():
    def forgetful(L, s):
        firing = Text().retire(L, s)
        return replace(firing, effect=lambda: replace(firing.effect(), batch=s.batch))

    def emptied(L, s):
        return L.implies(s.cursor > 0, L.at(s.batch.slots, s.cursor - 1) == EMPTY)

    def room(L, s):
        return L.all_of(s.cursor < s.batch.size, s.cursor >= 0)

    finding = discharge(kept_by("retire", StepState, (room,), emptied), Text({"retire": forgetful}))
    lines = draw(finding.counterexample).splitlines()
    assert finding.verdict is Verdict.REFUTED
    assert lines[0].startswith(f"arbitrary state, scope {finding.counterexample.scope}")
    assert lines[1].split(maxsplit=2)[:2] == ["batch", "before"]
    assert lines[2].split(maxsplit=2)[:2] == ["after", "retire"]
    assert any(line.split()[0] == "record.moves.length" for line in lines[3:])


def test_a_transition_that_forgets_to_establish_its_claim_is_refuted():
    def untouched(L, o):
        return o

    shrunk = set_up_by("shrink", Batch, (), lambda L, b: b.size == 0)
    assert discharge(shrunk, Text({"shrink": untouched})).verdict is Verdict.REFUTED
    assert discharge(shrunk, Text({"shrink": lambda L, b: replace(b, size=0)})).verdict is Verdict.PROVED
    assert Text().remove is remove
