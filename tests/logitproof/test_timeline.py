"""The picture of a failure: exact text, 80 columns, and who holds whose state."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings

from logitproof.lockstep import Arrival, Finding, Step, draw_timeline, histories, run
from logitproof.lockstep.blame import blame, outputs_before
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
