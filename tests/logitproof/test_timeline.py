"""The picture of a failure: exact text, 80 columns, and who holds whose state."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings

from logitproof.lockstep import Arrival, Finding, Step, draw_timeline, histories, run
from logitproof.lockstep.blame import blame, outputs_before
from logitproof.lockstep.fault_kind import fault_kind
from logitproof.lockstep.timeline import describe
from logitproof.spec import SamplingParams
from logitproof.targets import load_target

MUSEUM = Path(__file__).parent.parent / "museum"


def exhibit(name):
    return load_target(f"{MUSEUM / name.partition(':')[0]}.py:{name.partition(':')[2]}")


@pytest.mark.law("C1", "C6")
def test_a_request_that_inherits_is_drawn(history_of):
    target = exhibit("logit_bias_kept_after_removal:LogitBiasKeptAfterRemoval")
    history = history_of(
        Step(new=(Arrival("A", params=1),)),
        Step(finished=("A",), new=(Arrival("B"),)),
        params=(SamplingParams(), SamplingParams(logit_bias={3: 4.5})),
    )
    finding = run(history, target).faults[0]
    assert draw_timeline(history, finding, blame(history, target, finding)) == dedent("""\
          A  logit_bias={3: 4.5}
          B  plain

          step 1       []
            Add A@0 -> [A]
          step 2       [A]   finished A
            Add B@0 -> [B]   A is discarded
          update_state(BatchUpdate(batch_size=1, removed=[], added=[(0, 'B')],
            moved=[]))
          dialect: documented

        logits row 0 (B) in step 2, where it differs:
             token         given      expected        actual
                 3     -3.859375     -3.859375      0.640625

        Row 0 (B) was treated as A would be.""")


def test_a_request_that_lost_its_state_is_explained(history_of):
    target = exhibit("min_p_swap_half_done:MinPSwapHalfDone")
    history = history_of(Step(new=(Arrival("A", params=1), Arrival("B", params=1)), swaps=((0, 1),)))
    finding = run(history, target).faults[0]
    assert blame(history, target, finding) == "Row 0 (B) was left as it came, as if it had asked for nothing."


def test_nobody_is_blamed_without_evidence(history_of, min_p):
    history = history_of(Step(new=(Arrival("A"), Arrival("B"))))
    finding = Finding("solo", "D4", "", 1, 0, "A", (1.0,) * 32, (1.0,) * 32, (2.0,) * 32)
    assert blame(history, min_p, finding) is None
    assert blame(history, min_p, Finding("crash", "D1", "", 1)) is None


@settings(max_examples=40, deadline=None)
@given(histories(load_target("logitproof.impl.processors.min_tokens:MinTokensLogitsProcessor")))
def test_any_history_fits_into_80_columns(history):
    text = draw_timeline(history, Finding("solo", "D4", "", len(history.steps)))
    assert max(map(len, text.splitlines())) <= 80


def test_outputs_are_followed_through_partial_steps_and_absence(history_of):
    history = history_of(
        Step(new=(Arrival("A", script=(5, 6)),), partial=("A",)), Step(), Step(unscheduled=("A",)), Step(),
        Step(resumed=("A",)), Step(),
    )  # fmt: skip
    assert [outputs_before(history, number)["A"] for number in range(1, 7)] == [[], [], [5], [5], [5], [5, 6]]


def test_features_are_described_by_what_differs_from_the_default():
    assert describe(SamplingParams()) == "plain"
    assert describe(SamplingParams(min_p=0.5, stop_token_ids=[1])) == "min_p=0.5, stop_token_ids=[1]"
    assert describe(SamplingParams(bad_words=[[1, 2]])) == "bad_words=[[1, 2]]"


def crowd(size):
    names = [f"R{number}" for number in range(size)]
    return Step(new=tuple(Arrival(name, params=number % 2) for number, name in enumerate(names)))


def test_of_a_crowd_those_are_told_whom_it_is_about(history_of):
    history = history_of(
        crowd(40),
        Step(finished=tuple(f"R{number}" for number in range(36)), swaps=((0, 1),)),
        slots=40,
    )
    finding = Finding("untouched", "D2", "", 2, 1, "R39", (0.0,), (0.0,), (1.0,))
    text = draw_timeline(history, finding, "Row 1 (R39) was treated as R7 would be.")
    assert max(map(len, text.splitlines())) <= 80
    told, _, steps = text.partition("\n\n")
    assert "  R39  min_p=0.5" in told
    assert "  R7   min_p=0.5" in told
    assert told.endswith("  and 30 more requests, not needed for the picture")
    assert "40 slots]" in steps
    assert steps.count("\n") < 110


def test_a_long_update_is_cut(history_of):
    history = history_of(crowd(40), slots=40)
    text = draw_timeline(history, Finding("crash", "D1", "", 1))
    assert "    ...\n  dialect: documented" in text
    assert max(map(len, text.splitlines())) <= 80


def test_of_a_long_history_the_last_steps_are_told(history_of):
    history = history_of(crowd(2), *[Step()] * 20)
    text = draw_timeline(history, Finding("solo", "D4", "", 21))
    assert "(15 earlier steps are not shown)" in text
    assert "step 16" in text
    assert "step 15 " not in text


def test_what_a_second_instance_does_otherwise_is_nobodys_state(history_of):
    history = history_of(Step(new=(Arrival("A", params=0),)))
    target = exhibit("min_p_kept_after_removal:MinPKeptAfterRemoval")
    solo, copies = (Finding(oracle, "D4", "", 1, 0, "A") for oracle in ("solo", "copies"))
    assert fault_kind(history, target, solo, (solo, copies)) == "rank-split"
    assert fault_kind(history, target, solo, (solo,)) is None
    assert "clock" in blame(history, target, solo, (solo, copies))
