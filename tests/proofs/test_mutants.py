"""The mutants: distinct, of every function under proof, and each excuse is one that no obligation contradicts."""

from __future__ import annotations

from itertools import product

import pytest

from logitproof.model.concrete import CONCRETE
from logitproof.proofs import OBLIGATIONS, Verdict
from logitproof.proofs.discharge import refute
from logitproof.proofs.mutation import EQUIVALENT, Mutant, mutants
from logitproof.proofs.obligation import MODEL_TEXT
from logitproof.proofs.obligations.operations import Operands
from logitproof.proofs.reachable import states
from logitproof.proofs.teeth import SOLVER_SCOPES, Kills, bite

BY_NAME = {mutant.name: mutant for mutant in mutants()}
AT_LEAST = 25
"""Mutants that the first issue asks for."""


def test_no_two_mutants_have_the_same_name():
    assert len(BY_NAME) == len(mutants()) >= AT_LEAST
    assert all(mutant.name.startswith(f"{mutant.rule}: ") for mutant in mutants())


def test_every_function_under_proof_has_mutants():
    assert {mutant.rule for mutant in mutants()} == set(MODEL_TEXT)


def test_a_mutant_stands_in_for_its_function_and_for_no_other():
    mutant = mutants()[0]
    assert getattr(mutant.text, mutant.rule) is mutant.function
    assert mutant.function is not MODEL_TEXT[mutant.rule]
    others = MODEL_TEXT.keys() - {mutant.rule}
    assert all(getattr(mutant.text, name) is MODEL_TEXT[name] for name in others)
    with pytest.raises(AttributeError, match="no_such_rule"):
        mutant.text.no_such_rule  # noqa: B018


def test_a_mutant_does_what_its_name_says():
    mutant = BY_NAME["remove: L.put(batch.slots, index, EMPTY) is not done"]
    o = next(o for o in states()[Operands] if o.batch.slots[0] == 0 and o.index == 0)
    assert MODEL_TEXT["remove"](CONCRETE, o.batch, 0).slots[0] == -1
    assert mutant.function(CONCRETE, o.batch, 0).slots[0] == 0


def test_every_excuse_has_its_mutant_and_a_reason():
    assert set(EQUIVALENT) <= set(BY_NAME)
    assert all(reason for reason in EQUIVALENT.values())


@pytest.mark.parametrize("name", EQUIVALENT)
def test_no_obligation_refutes_an_excused_mutant_in_any_small_scope(name):
    mutant = BY_NAME[name]
    cases = [(o.name, case) for o in OBLIGATIONS for case in o.cases if mutant.rule in case.about]
    assert cases
    for (obligation, case), scope in product(cases, SOLVER_SCOPES):
        finding = refute(case, mutant.text, (scope,))
        assert finding.verdict is Verdict.UNKNOWN, obligation
        assert finding.reason == f"neither proved nor refuted up to scope {scope}", obligation


def test_every_other_mutant_is_killed_and_every_obligation_kills():
    kills = bite(OBLIGATIONS)
    assert [kill.mutant for kill in kills] == list(mutants())
    assert not [kill.mutant.name for kill in kills if kill.survives or kill.wrongly_excused]
    assert {name for kill in kills for name in kill.killed_by} == {o.name for o in OBLIGATIONS}


MUTANT = Mutant("remove: nothing", "remove", lambda L, batch, index: batch)


@pytest.mark.parametrize(
    ("killed_by", "equivalent", "survives", "wrongly_excused"),
    [
        (("one",), None, False, False),
        ((), None, True, False),
        ((), "a reason", False, False),
        (("one",), "a reason", False, True),
    ],
)
def test_a_mutant_survives_unless_it_is_killed_or_excused(killed_by, equivalent, survives, wrongly_excused):
    kills = Kills(MUTANT, killed_by, equivalent)
    assert (kills.survives, kills.wrongly_excused) == (survives, wrongly_excused)
