"""Third-party files run without any help from the user: correct ones are clean, faulty ones are found."""

from __future__ import annotations

import pytest

from logitproof.lockstep import Budget, Verdict, fuzz
from logitproof.targets import load_target

from .exhibits import CORRECT, FAULTY

ENOUGH = Budget(max_examples=20)
SEED = 1


def named(case):
    return case[1]


@pytest.mark.parametrize("case", CORRECT, ids=named)
def test_a_correct_processor_is_clean(case):
    each, name = case
    report = fuzz(load_target(each.spec(name)), SEED, budget=ENOUGH)
    assert [caught.findings[0].summary for caught in report.caught] == []
    assert report.verdict is Verdict.CLEAN, report.note
    assert report.transitions.changed_a_logit


@pytest.mark.parametrize("case", FAULTY, ids=named)
def test_a_faulty_processor_is_found(case):
    each, name = case
    report = fuzz(load_target(each.spec(name)), SEED)
    assert report.verdict is Verdict.FAILED
    (caught,) = report.caught
    assert caught.findings[0].oracle in each.oracles
    assert len(caught.history.steps) <= 6
