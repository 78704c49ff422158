"""Hazards: what is asked for is played, nothing else is, and each finds the processor that does not survive it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed

from logitproof.lockstep import Arrival, Budget, Severity, Step, Verdict, fuzz, histories, run
from logitproof.lockstep.hazards import (
    DEFAULT_HAZARDS,
    OFF,
    Hazard,
    UnknownHazard,
    described,
    parse_hazards,
    unsupported_by,
)
from logitproof.lockstep.history import first_fault
from logitproof.lockstep.history_json import from_json, to_json
from logitproof.lockstep.token_lists import Outputs
from logitproof.lockstep.transitions import HAZARD_OF, Transitions
from logitproof.spec import LogitsProcessor, SamplingParams
from logitproof.targets import load_target

TARGET = load_target("logitproof.impl.processors.min_p:MinPLogitsProcessor")
A = Arrival("A", params=1, script=(3,))


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hazards"),
    [
        ("resume,chunked", {Hazard.RESUME, Hazard.CHUNKED}),
        ("+async", DEFAULT_HAZARDS | {Hazard.ASYNC}),
        ("+async,-chunked", DEFAULT_HAZARDS - {Hazard.CHUNKED} | {Hazard.ASYNC}),
        ("all", {*Hazard}),
        ("default", DEFAULT_HAZARDS),
        ("", set()),
    ],
)
def test_names_are_exact_and_signs_change_the_default(text, hazards):
    assert parse_hazards(text) == frozenset(hazards)


@pytest.mark.parametrize("text", ["all", "+async", "resume", "+async,-chunked,-one", "resume,full,one"])
def test_what_is_described_can_be_asked_for(text):
    assert parse_hazards(described(parse_hazards(text))) == parse_hazards(text)


@pytest.mark.parametrize(
    ("text", "hint"), [("resum", "did you mean 'resume'"), ("+asnyc", "'async'"), ("resume,+async", "a sign")]
)
def test_a_name_that_is_none_says_what_was_meant(text, hint):
    with pytest.raises(UnknownHazard, match=hint):
        parse_hazards(text)


def test_a_class_says_what_it_does_not_support():
    assert unsupported_by({"async"}, "Mine") == {Hazard.ASYNC}
    assert unsupported_by("padded", "Mine") == {Hazard.PADDED}
    for wrong in ({"asnyc"}, 7):
        with pytest.raises(UnknownHazard, match=r"Mine\.logitproof_unsupported"):
            unsupported_by(wrong, "Mine")


def test_every_hazard_has_one_sentence():
    assert all(hazard.sentence.count(".") == 1 and hazard.sentence.endswith(".") for hazard in Hazard)


# --- generation -------------------------------------------------------------------------------------------------------


def drawn(hazards, number=0, examples=60):
    values = []

    @with_seed(number)
    @settings(
        max_examples=examples, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
    )
    @given(histories(TARGET, hazards=hazards))
    def collect(history):
        values.append(history)

    collect()
    return values


@pytest.mark.parametrize("off", sorted({*HAZARD_OF.values()} & DEFAULT_HAZARDS, key=lambda each: each.value))
def test_a_hazard_that_is_switched_off_never_happens(off):
    transitions = Transitions()
    for history in drawn(DEFAULT_HAZARDS - {off}):
        assert first_fault(history) is None
        if off in (Hazard.ONE, Hazard.FULL) and history.slots == 1:
            continue  # a batch of one slot holds nobody, or is both
        run(history, TARGET, transitions)
    kind = next(kind for kind, hazard in HAZARD_OF.items() if hazard is off)
    before_anybody_came = off is Hazard.EMPTY
    assert transitions.counts[kind] == 0 or before_anybody_came
    assert kind not in transitions.unmet(DEFAULT_HAZARDS - {off})


def test_the_batch_never_becomes_empty_where_that_is_switched_off():
    for history in drawn(DEFAULT_HAZARDS - {Hazard.EMPTY}):
        live: set[str] = set()
        for step in history.steps:
            had_somebody = bool(live)
            live -= {*step.finished, *step.unscheduled}
            live |= {arrival.name for arrival in step.new} | {*step.resumed}
            assert live or not had_somebody


@pytest.mark.parametrize("on", sorted(OFF - {Hazard.BOUNDARY}, key=lambda each: each.value))
def test_a_hazard_that_is_asked_for_happens_often(on):
    transitions = Transitions()
    for history in drawn(DEFAULT_HAZARDS | {on}):
        run(history, TARGET, transitions)
    kind = next(kind for kind, hazard in HAZARD_OF.items() if hazard is on)
    assert transitions.counts[kind] > 100


def test_a_history_keeps_its_hazards_in_a_file():
    for history in drawn(frozenset(Hazard), examples=5):
        assert from_json(to_json(history)) == history


def test_what_was_written_before_hazards_existed_is_read_with_the_default():
    data = to_json(drawn(DEFAULT_HAZARDS, examples=1)[0])
    for name in ("hazards", "lag", "padding"):
        del data[name]
    assert from_json(data).hazards == DEFAULT_HAZARDS


# --- lagging lists ----------------------------------------------------------------------------------------------------


def test_a_token_takes_the_place_of_its_placeholder_after_lag_steps():
    outputs = Outputs((5,), lag=2)
    for step, token in enumerate((6, 7, 8), start=1):
        outputs.patch(step)
        outputs.append(token, step)
    assert outputs.seen == [5, 6, -1, -1]
    assert outputs.known == [5, 6]
    assert outputs.true == [5, 6, 7, 8]
    assert not outputs.is_changed
    outputs.arrive()
    assert outputs.seen == outputs.true
    assert not outputs.waits


class Counts(LogitsProcessor):
    """Lowers the token that was said last, by a state that follows the list."""

    def __init__(self, config, device, is_pin_memory):
        self.outputs: dict[int, list[int]] = {}
        self.known: dict[int, list[int]] = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        for row, params, _prompt, outputs in batch_update.added if batch_update else ():
            if params.min_p:
                self.outputs[row], self.known[row] = outputs, []
        for row, outputs in self.outputs.items():
            self.follow(self.known[row], outputs)

    def follow(self, known, outputs):
        known += [token for token in outputs[len(known) :] if token >= 0]

    def apply(self, logits):
        for row, known in self.known.items():
            for token in known:
                logits[row, token] -= 1
        return logits


class CopiesPlaceholders(Counts):
    def follow(self, known, outputs):
        known += outputs[len(known) :]


class ReadsLengths(Counts):
    def apply(self, logits):
        for row, outputs in self.outputs.items():
            logits[row, 0] -= len(outputs)
        return logits


POOL = (SamplingParams(), SamplingParams(min_p=0.5))


@pytest.mark.law("D4", "C5")
@pytest.mark.parametrize("lag", [1, 2])
@pytest.mark.parametrize(
    ("processor", "expected"),
    [
        (CopiesPlaceholders, [("late", Severity.FAULT)]),
        (Counts, [("late", Severity.WARNING)]),
        (ReadsLengths, []),
    ],
)
def test_under_async_a_placeholder_must_not_count(target_of, history_of, processor, expected, lag):
    history = history_of(Step(new=(A,)), *(Step() for _ in range(4)), lag=lag)
    result = run(history, target_of(processor))
    severities = {finding.oracle: finding.severity for finding in result.warnings}
    severities |= {finding.oracle: finding.severity for finding in result.faults}
    assert severities == dict(expected)


@pytest.mark.law("D4")
def test_once_patched_a_row_must_equal_the_on_time_run(target_of, history_of):
    """A partial step samples nothing, so in the one after it nothing is on its way."""

    class NeverLooksAgain(CopiesPlaceholders):
        def apply(self, logits):
            return super().apply(logits) if -1 not in self.outputs.get(0, ()) else logits

    history = history_of(Step(new=(A,)), Step(partial=("A",)), Step(), lag=1)
    assert "solo" in {finding.oracle for finding in run(history, target_of(NeverLooksAgain)).faults}


class CountsSteps(Counts):
    def follow(self, known, outputs):
        if len(outputs) > len(known):
            known.append(outputs[-1])


@pytest.mark.law("C4")
def test_several_tokens_in_a_step_must_all_count(target_of, history_of):
    history = history_of(Step(new=(A,)), Step(accepted=("A", "A")), Step())
    assert not run(history, target_of(Counts)).faults
    assert {finding.oracle for finding in run(history, target_of(CountsSteps)).faults} == {"rebuild"}


class AsLongAsTheBatch(Counts):
    def apply(self, logits):
        return logits.add_(logits.new_zeros(len(self.outputs), 1))


@pytest.mark.law("D1")
def test_padded_logits_have_rows_that_nobody_owns(target_of, history_of):
    B = replace(A, name="B")
    history = history_of(Step(new=(A, B)), Step(), padding=1)
    assert not run(history, target_of(Counts)).faults
    assert [finding.oracle for finding in run(history, target_of(AsLongAsTheBatch)).faults] == ["crash"]


def test_requests_share_nothing_where_that_is_switched_off(target_of, history_of):
    seen = []

    class Remembers(Counts):
        def update_state(self, batch_update):
            for _row, params, prompt, _outputs in batch_update.added if batch_update else ():
                seen.append((params, prompt))
            super().update_state(batch_update)

    history = history_of(Step(new=(A, replace(A, name="B"))))
    for hazards, objects in ((DEFAULT_HAZARDS, 1), (DEFAULT_HAZARDS - {Hazard.SHARED}, 2)):
        seen.clear()
        run(replace(history, hazards=hazards), target_of(Remembers))
        batch = seen[:2]
        assert len({id(params) for params, _ in batch}) == len({id(prompt) for _, prompt in batch}) == objects


def test_what_the_target_does_not_support_is_left_out_and_said(target_of):
    class Reads(Counts):
        logitproof_unsupported = frozenset({"async"})

    report = fuzz(target_of(Reads), 0, budget=Budget(1, shrink=False), hazards=parse_hazards("+async"))
    assert Hazard.ASYNC not in report.hazards
    assert report.unsupported == {Hazard.ASYNC}
    assert report.transitions.counts["placeholder"] == 0


def test_a_kind_that_never_happened_is_said_unless_it_is_switched_off(min_p):
    report = fuzz(min_p, 0, budget=Budget(2, shrink=False), hazards=parse_hazards("-resume,-chunked"))
    assert report.verdict in (Verdict.VACUOUS, Verdict.CLEAN)
    assert "resume" not in report.note
    assert "partial" not in report.note
