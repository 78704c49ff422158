"""The order of the sampler, and rows that several features act on."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings

from logitproof.model.rows import PIPELINE, argmax, constrained_row, pipeline_row
from logitproof.spec import SamplingParams

BANNED = -math.inf
QUIET = settings(max_examples=60, deadline=None, database=None, derandomize=True)


def test_the_order_is_the_one_that_users_of_vllm_rely_on():
    assert [stage.name for stage in PIPELINE] == [
        *("allowed_token_ids", "bad_words", "min_tokens", "logit_bias"),
        *("repetition_penalty", "frequency_penalty", "presence_penalty"),
        *("temperature", "min_p", "top_k", "top_p"),
    ]
    assert all(stage.because for stage in PIPELINE)


@pytest.mark.law("E1")
def test_what_may_change_the_argmax_comes_first():
    declared = [stage.argmax_invariant for stage in PIPELINE]
    assert declared == sorted(declared)


@pytest.mark.law("E1", "E3")
def test_all_features_mixed_by_hand():
    params = SamplingParams(
        allowed_token_ids=[0, 1, 2, 3, 4],
        bad_words=[[5, 4]],
        min_tokens=9,
        stop_token_ids=[3],
        logit_bias={0: 1.0},
        repetition_penalty=2.0,
        frequency_penalty=0.5,
        presence_penalty=0.25,
        temperature=0.5,
        min_p=0.01,
        top_k=2,
        top_p=0.9,
    )
    # bias: 5, 4, 2.5; halved where seen: 2.5, 4, 1.25; token 2 said twice: -1, then -0.25; doubled: 5, 8, 0
    # min-p drops what is more than 4.6 below 8; top-k keeps the two others; p = 0.9 is reached by 8 alone (0.953)
    row = [4.0, 4.0, 2.5, 9.0, 9.0, 9.0]
    prompt, outputs = [0], [2, 2, 5]
    before = [5.0 / 2, 4.0, 2.5 / 2 - 1.0 - 0.25, BANNED, BANNED, BANNED]
    assert constrained_row(params, prompt, outputs, row) == before
    assert pipeline_row(params, prompt, outputs, row) == [BANNED, 8.0, BANNED, BANNED, BANNED, BANNED]


@pytest.mark.law("D8")
def test_of_two_masks_with_nothing_in_common_the_first_wins():
    params = SamplingParams(allowed_token_ids=[0], bad_words=[[0]])
    assert pipeline_row(params, None, [], [1.0, 2.0]) == [1.0, BANNED]


@pytest.mark.law("E2", "E3", "E4")
def test_a_greedy_request_gets_the_argmax_before_and_after_what_may_be_skipped(scenes):
    features = ("logit_bias", "presence_penalty", "temperature", "min_p", "top_k", "top_p")

    @QUIET
    @given(scenes(*features))
    def check(scene):
        if any(map(math.isfinite, scene.row)):
            assert argmax(scene.play(constrained_row)) == argmax(scene.play(pipeline_row))

    check()


@pytest.mark.law("D8")
def test_the_whole_pipeline_never_takes_the_last_finite_logit(scenes):
    @QUIET
    @given(scenes(*(stage.name for stage in PIPELINE)))
    def check(scene):
        after = scene.play(pipeline_row)
        assert any(map(math.isfinite, after)) == any(map(math.isfinite, scene.row))
        assert not any(map(math.isnan, after))

    check()
