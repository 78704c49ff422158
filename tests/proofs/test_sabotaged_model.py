"""The model is broken by hand: the run must not pass, and must say which law goes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from importlib import import_module

import pytest

from logitproof.model.batch import swap
from logitproof.model.concrete import CONCRETE
from logitproof.model.condense import CONDENSE, move_down, open_condense, shrink
from logitproof.model.fill import EXTEND, FILL, REMOVE, keep, refill, retire
from logitproof.model.reorder import exchange
from logitproof.model.rule import Firing, run
from logitproof.model.step import Update
from logitproof.model.step_state import begin
from logitproof.proofs import OBLIGATIONS, Verdict, conformance
from logitproof.proofs.check import _running_model, _text_under_proof, _theorem
from logitproof.proofs.discharge import discharge, refute, reproduces
from logitproof.proofs.obligation import MODEL_TEXT, Text
from logitproof.proofs.result import EVERY_SIZE, toothless
from logitproof.proofs.symbolic import FiniteScope
from logitproof.spec.algebra import EMPTY

run_check = import_module("logitproof.proofs.check")
stepping = import_module("logitproof.model.step")
THEOREMS = {obligation.name: obligation for obligation in OBLIGATIONS}


def half_swap(L, batch, source, destination):
    return replace(batch, slots=L.put(batch.slots, source, L.at(batch.slots, destination)))


def swap_wrong_at_nine(L, batch, source, destination):
    right = swap(L, batch, source, destination)
    return replace(right, slots=L.choose(source == 9, batch.slots, right.slots))


def keep_everybody(L, s):
    return Firing(s.cursor < s.plan.old.size, keep(L, s).effect)


def refill_without_a_record(L, s):
    firing = refill(L, s)
    return replace(firing, effect=lambda: replace(firing.effect(), record=s.record))


def retire_at_once(L, s):
    return Firing(L.at(s.plan.finished, s.cursor), retire(L, s).effect)


def move_without_a_record(L, s):
    firing = move_down(L, s)
    return replace(firing, effect=lambda: replace(firing.effect(), record=s.record))


def move_onto_a_live_slot(L, s):
    return Firing(L.all_of(s.low < s.high, L.at(s.batch.slots, s.high) != EMPTY), move_down(L, s).effect)


def shrink_one_too_many(L, s):
    return replace(s, batch=replace(s.batch, size=s.low - 1))


def exchange_past_the_end(L, s):
    return exchange(L, replace(s, batch=replace(s.batch, size=s.batch.size + 1)))


REFUTED = {
    half_swap: ("swap", "swap_exchanges_two_slots_and_nothing_else"),
    keep_everybody: ("keep", "every_finished_slot_is_refilled_or_removed"),
    refill_without_a_record: ("refill", "every_finished_slot_is_refilled_or_removed"),
    retire_at_once: ("retire", "surviving_removes_are_greater_than_every_refilled_slot"),
    move_without_a_record: ("move_down", "condense_makes_one_move_per_hole"),
    move_onto_a_live_slot: ("move_down", "condense_keeps_the_batch_well_formed_and_conserved"),
    shrink_one_too_many: ("shrink", "the_batch_is_contiguous_after_condense_and_shrink"),
    exchange_past_the_end: ("exchange", "contiguity_survives_every_sequence_of_swaps"),
}


@pytest.mark.law("A4", "B1", "B3", "B4", "B5", "B6", "B8", "B9")
@pytest.mark.parametrize("broken", REFUTED, ids=lambda broken: broken.__name__)
def test_a_broken_rule_is_refuted_by_a_state_that_reproduces(broken):
    rule, name = REFUTED[broken]
    text = Text({rule: broken})
    findings = [(case, refute(case, text)) for case in THEOREMS[name].cases if rule in case.about]
    refuted = [(case, f.counterexample) for case, f in findings if f.verdict is Verdict.REFUTED]
    assert refuted
    for case, found in refuted:
        L = FiniteScope(found.scope).executed()
        assert reproduces(case, found.state, L, text)
        assert not reproduces(case, found.state, L)


@pytest.mark.law("A4")
def test_a_rule_that_is_wrong_only_far_out_is_not_proved(monkeypatch):
    monkeypatch.setattr(import_module("logitproof.proofs.discharge"), "SOLVER_BUDGET", 500_000)
    (case,) = THEOREMS["swap_exchanges_two_slots_and_nothing_else"].cases
    assert discharge(case, Text({"swap": swap_wrong_at_nine})).verdict is Verdict.UNKNOWN


def settled(monkeypatch, name, **broken):
    monkeypatch.setattr(run_check, "discharge", partial(discharge, text=Text(broken)))
    return _theorem(THEOREMS[name])


def test_a_rule_that_raises_is_an_error_with_its_reason(monkeypatch):
    def raises(L, batch, index):
        raise LookupError("broken")

    finding = settled(monkeypatch, "remove_empties_its_slot_and_discards_the_request", remove=raises)
    assert (finding.verdict, finding.reason) == (Verdict.ERROR, "LookupError: broken")


def test_a_rule_that_branches_on_a_comparison_is_an_error(monkeypatch):
    def branches(L, batch, index):
        return batch if index < 9 else replace(batch, size=0)

    finding = settled(monkeypatch, "remove_empties_its_slot_and_discards_the_request", remove=branches)
    assert finding.verdict is Verdict.ERROR


def no_reorder(plan, watch=None):
    state = begin(CONCRETE, plan)
    for loop in (FILL, EXTEND, REMOVE):
        state = run(loop, state, watch)
    state = shrink(CONCRETE, run(CONDENSE, open_condense(CONCRETE, state), watch))
    return replace(state, swapped=plan.swap_count)


def late_extend(plan, watch=None):
    state = begin(CONCRETE, plan)
    for loop in (EXTEND, FILL, REMOVE):
        state = run(loop, state, watch)
    state = shrink(CONCRETE, run(CONDENSE, open_condense(CONCRETE, state), watch))
    return replace(state, swapped=plan.swap_count)


def one_too_large(state, names, dialect):
    update = announce(state, names, dialect)
    return update and replace(update, batch_size=update.batch_size + 1)


def never_none(state, names, dialect):
    return announce(state, names, dialect) or Update(state.batch.size, [], [], [])


announce = stepping.announce
GLUE = [
    ("run_plan", no_reorder, "the plan's swaps come last"),
    ("run_plan", late_extend, "the rest extend the batch consecutively"),
    ("announce", one_too_large, "batch_size counts the live"),
    ("announce", never_none, "the update is None iff nothing happened"),
]


@pytest.mark.law("B2", "B5", "B6", "B7")
@pytest.mark.parametrize(
    ("name", "broken", "sentence"), GLUE, ids=lambda value: getattr(value, "__name__", None)
)
def test_what_holds_the_rules_together_is_watched(monkeypatch, name, broken, sentence):
    monkeypatch.setattr(stepping, name, broken)
    assert sentence in {said for said, _ in conformance.violations()}
    (result,) = _running_model(lambda what: None)
    assert (result.verdict, result.as_expected) == (Verdict.REFUTED, False)
    assert result.picture


def test_a_running_model_that_raises_is_an_error(monkeypatch):
    def raises(plan, watch=None):
        raise LookupError("broken")

    monkeypatch.setattr(stepping, "run_plan", raises)
    (result,) = _running_model(lambda what: None)
    assert (result.verdict, result.reason) == (Verdict.ERROR, "LookupError: broken")


def test_the_running_model_passes_when_nothing_is_broken():
    (result,) = _running_model(lambda what: None)
    assert result.as_expected
    without_teeth = toothless(replace(result, scope=EVERY_SIZE), set())
    assert (without_teeth.verdict, without_teeth.as_expected) == (Verdict.VACUOUS, False)
    assert toothless(result, set()) == result


def test_a_branch_in_a_rule_is_noticed(monkeypatch):
    def branches(L, batch, index):
        if batch.size == 9:
            return batch
        return undefended(L, batch, index)  # noqa: F821  the text is read, never run

    assert next(_text_under_proof()).as_expected
    monkeypatch.setitem(MODEL_TEXT, "remove", branches)
    found = next(_text_under_proof())
    assert found.verdict is Verdict.ERROR
    assert "if batch.size == 9" in found.reason
    assert "calls undefended, which is not under proof" in found.reason
