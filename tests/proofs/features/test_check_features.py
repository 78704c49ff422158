"""The run about features: verdicts, mutants, witnesses, and that a run which proves nothing does not pass."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from logitproof.model.rows import PIPELINE
from logitproof.model.rows.reference import BANNED
from logitproof.proofs import Verdict
from logitproof.proofs.features import (
    FEATURE_OBLIGATIONS,
    WRONG_CLAIMS,
    check,
    check_features,
    draw_commutation,
    draw_order,
)
from logitproof.proofs.features.commuting import COMMUTING, COMMUTING_IF_A_TOKEN_IS_LEFT
from logitproof.proofs.features.discharge_rows import prove, settle, witnesses
from logitproof.proofs.features.exact_rows import draw, exact_rows
from logitproof.proofs.features.kernel_mutants import EQUIVALENT_KERNELS, kernel_mutants, text_with
from logitproof.proofs.features.reading import EXACT, ExtendedReal, SymbolicRows
from logitproof.proofs.features.row import positive, sampleable
from logitproof.proofs.features.theorem import KERNELS, case, stated
from logitproof.proofs.obligation import Obligation
from logitproof.proofs.result import EVERY_VOCABULARY
from logitproof.spec import LAW_BY_ID


@cache
def report():
    return check_features()


def verdicts():
    return {result.name: result.verdict for result in report().results}


@pytest.mark.law("D2", "D4", "D5", "D8", "E1", "E2", "E3", "E4")
def test_every_verdict_is_the_expected_one():
    assert [result.name for result in report().results if not result.as_expected] == []
    assert all(result.picture for result in report().results if result.expected is Verdict.REFUTED)


def test_every_mutant_is_killed_or_excused_and_every_excuse_is_needed():
    assert [kill.mutant.name for kill in report().kills if kill.survives or kill.wrongly_excused] == []
    assert report().stale_excuses == ()
    assert {kill.mutant.rule for kill in report().kills} == set(KERNELS)
    assert {kill.mutant.name for kill in report().kills if kill.equivalent} == set(EQUIVALENT_KERNELS)


def test_names_are_unique_and_laws_exist():
    names = [*(t.name for t in FEATURE_OBLIGATIONS), *(claim.name for claim in WRONG_CLAIMS)]
    assert len(names) == len(set(names))
    assert all(law in LAW_BY_ID for stated in (*FEATURE_OBLIGATIONS, *WRONG_CLAIMS) for law in stated.laws)
    assert all(theorem.sentence.endswith(".") for theorem in FEATURE_OBLIGATIONS)


@pytest.mark.law("D5")
def test_what_the_pipeline_declares_is_what_was_proved():
    declared = {stage.name: stage.argmax_invariant for stage in PIPELINE}
    proved = {name: verdicts()[f"{name}_keeps_the_argmax"] is Verdict.PROVED for name in declared}
    assert proved == declared


@pytest.mark.law("E1")
def test_every_pair_of_features_is_settled():
    pairs = list(combinations([stage.name for stage in PIPELINE], 2))
    for one, other in pairs:
        expected = Verdict.PROVED if (one, other) in COMMUTING else Verdict.REFUTED
        assert verdicts()[f"{one}_commutes_with_{other}"] is expected
    assert {*COMMUTING, *COMMUTING_IF_A_TOKEN_IS_LEFT} <= set(pairs)


def test_the_table_of_pairs():
    assert draw_commutation(verdicts()).splitlines() == [
        "                          1  2  3  4  5  6  7  8  9 10",
        " 1 allowed_token_ids    ",
        " 2 bad_words              ~",
        " 3 min_tokens             ~  ~",
        " 4 logit_bias             =  =  =",
        " 5 repetition_penalty     =  =  =  x",
        " 6 frequency_penalty      =  =  =  =  x",
        " 7 presence_penalty       =  =  =  =  x  =",
        " 8 temperature            =  =  =  x  =  x  x",
        " 9 min_p                  x  x  x  x  x  x  x  x",
        "10 top_k                  x  x  x  x  x  x  x  =  =",
        "11 top_p                  x  x  x  x  x  x  x  x  x  x",
        "",
        "= commute on every row   ~ commute while a token is left, else the first wins (D8)   x order matters",
    ]
    assert "?" in draw_commutation({})


def test_the_order_is_drawn_with_the_line_where_greedy_requests_stop():
    lines = draw_order().splitlines()
    line = next(i for i, text in enumerate(lines) if text.startswith("-- "))
    assert lines[line + 1].startswith(" 8 temperature")
    assert max(map(len, lines)) <= 96


@pytest.mark.law("E4")
def test_a_witness_is_drawn_as_a_table():
    claim = next(c for c in WRONG_CLAIMS if c.name.startswith("greedy_skipping_is_harmless"))
    assert claim.witness().splitlines() == [
        "presence_penalty=2.0; output so far [0]",
        "token                                                0       1",
        "before                                               0       0",
        "skipped: token 0                                     0       0",
        "not skipped, next to a random request: token 1      -2       0",
    ]


UNREADABLE = ("becomes -100", "with its operands exchanged")
"""Mutants that are no terms of the symbolic reading: a plain number for a banned logit, and a number over a logit."""

MASKING = {"keep_allowed", "ban"}
"""Kernels after which broken arithmetic would meet a banned logit, on which the two readings need not agree."""


def denied_without_bans(found, mutant):
    """By a row of finite logits: what broken arithmetic makes of a banned one is no question for the solver."""
    for row in witnesses(found):
        if all(row.logit(token) != BANNED for token in range(row.size)):
            sequent = stated(found, EXACT, text_with(mutant), row)
            try:
                if not sequent.claim() and all(sequent.given()):
                    return True
            except ZeroDivisionError:
                continue
    return False


def test_the_solver_proves_nothing_that_an_exact_row_denies():
    """Were the symbolic assumptions contradictory, the solver would prove a broken kernel right."""
    looked_at = 0
    for mutant in kernel_mutants():
        if mutant.name.endswith(UNREADABLE):
            continue
        cases = [c for theorem in FEATURE_OBLIGATIONS for c in theorem.cases if mutant.rule in c.about]
        if mutant.rule not in MASKING:
            cases = [found for found in cases if not MASKING & set(found.about)]
        for broken in [found for found in cases if denied_without_bans(found, mutant)][:3]:
            assert prove(broken, text_with(mutant)) != z3.unsat, mutant.name
            looked_at += 1
    assert looked_at > 150


def theorem_of(*cases):
    return Obligation("stated_here", "For every row: what a test says.", ("D5",), cases)


def test_a_false_theorem_is_refuted_with_a_row():
    claim = case(
        ("add_bias",), lambda L, text, s: text.add_bias(L, s.logit(s.top), 1) == s.logit(s.top), sampleable
    )
    finding = settle(theorem_of(claim))
    assert finding.verdict is Verdict.REFUTED
    assert "bias" in draw(finding.row)


def test_a_theorem_about_no_row_is_vacuous():
    claim = case((), lambda L, text, s: s.k == 0, lambda L, s: [s.k < 0])
    assert settle(theorem_of(replace(claim, about=("cool",)))).verdict is not Verdict.PROVED
    contradictory = case((), lambda L, text, s: s.k == 0, lambda L, s: [s.k < 0, s.k > 0])
    assert settle(theorem_of(contradictory)).verdict is Verdict.VACUOUS


def test_a_theorem_beyond_the_solver_is_unknown():
    """True of every row that is drawn, and of no other."""
    claim = case((), lambda L, text, s: s.size <= 4, positive)
    assert settle(theorem_of(claim)).verdict is Verdict.UNKNOWN


def test_a_theorem_that_kills_no_mutant_is_vacuous(monkeypatch):
    idle = replace(theorem_of(case(("cool",), lambda L, text, s: s.k >= 1, positive)), name="k_is_positive")
    monkeypatch.setattr(check, "FEATURE_OBLIGATIONS", [*FEATURE_OBLIGATIONS, idle])
    found = {result.name: result for result in check_features().results}["k_is_positive"]
    assert found.verdict is Verdict.VACUOUS
    assert "kills no mutant" in found.reason
    assert found.scope == EVERY_VOCABULARY


def test_a_broken_reference_row_is_noticed(monkeypatch):
    broken = [replace(stage, row=lambda p, prompt, outputs, row: list(row)) for stage in PIPELINE]
    monkeypatch.setattr("logitproof.proofs.features.reference_rows.PIPELINE", broken)
    found = {r.name: r for r in check_features().results}["the_reference_rows_do_what_the_theorems_speak_of"]
    assert found.verdict is Verdict.REFUTED
    assert found.picture


NUMBERS = st.sampled_from([BANNED, -2, -1, 0, 1, 2])


@settings(max_examples=200, deadline=None, database=None, derandomize=True)
@given(NUMBERS, NUMBERS, st.sampled_from([1, 2, 3]))
def test_symbolic_logits_compare_and_add_up_as_floats_do(one, other, number):
    L = SymbolicRows()

    def term(value):
        return ExtendedReal(
            z3.RealVal(0 if value == BANNED else value, L.context), z3.BoolVal(value == BANNED, L.context)
        )

    a, b = term(one), term(other)
    compared = {
        a < b: one < other,
        a > b: one > other,
        a <= b: one <= other,
        a >= b: one >= other,
        a == b: one == other,
        a < number: one < number,
        a > 0: one > 0,
        a + number == term(one + number): True,
        a - number == term(one - number): True,
        a * number == term(one * number): True,
        a / number * number == a: True,
        L.finite(a): one != BANNED,
        L.choose(a < b, a, b) == term(min(one, other)): True,
        L.exp(a) >= 0: True,
    }
    for formula, expected in compared.items():
        assert z3.is_true(z3.simplify(L.truth(formula))) is expected or "exp" in str(formula)


def test_exact_rows_are_many_kinds_of_row():
    drawn = exact_rows()
    assert {row.size for row in drawn} == {1, 2, 3, 4}
    assert any(len({row.logit(t) for t in range(row.size)}) < row.size for row in drawn), "no ties"
    assert any(row.logit(t) == BANNED for row in drawn for t in range(row.size)), "no bans"
    assert EXACT.exp(BANNED) == 0
