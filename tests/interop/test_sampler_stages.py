"""Every stage of vLLM's sampler on the same logits and requests: constraints bit for bit, cuts by what they keep."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from _sampler_cases import FEATURES, GREEDY_EVERY, Case, our_requests
from _sampler_vllm import Vllm

BIT_FOR_BIT = (
    "penalties",
    "allowed_token_ids",
    "bad_words",
    "min_tokens",
    "logit_bias",
    "temperature",
    "top_k",
)
"""The arithmetic is the same, and no row of these cases has a tie at the k-th logit."""
ON_THE_EDGE = ("min_p", "top_p_narrow", "top_p_wide", "top_k_top_p")
"""vLLM compares float32 probabilities and adds them up in float32, we decide in float64: see `same_rows`."""


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def sides(case):
    requests = our_requests(case)
    return case.ours(requests), Vllm(case, requests)


@pytest.mark.law("E1", "D1")
@pytest.mark.parametrize("profile", ["all", "quarter"])
@pytest.mark.parametrize("operation", BIT_FOR_BIT)
def test_the_logits_are_equal_bit_for_bit(operation, profile):
    case = Case(12, 5003, profile, operation)
    ours, theirs = sides(case)
    base = case.logits()
    left, right = base.clone(), base.clone()
    ours.play(left)
    theirs.play(right)
    assert torch.equal(left, right)
    assert not torch.equal(left, base), "the case must exercise the feature"


@pytest.mark.law("E3")
@pytest.mark.parametrize("profile", ["all", "quarter"])
@pytest.mark.parametrize("operation", ON_THE_EDGE)
def test_the_kept_tokens_are_equal_up_to_the_edge(operation, profile):
    case = Case(12, 5003, profile, operation)
    ours, theirs = sides(case)
    assert case.equal(ours, theirs, case.logits())


@pytest.mark.law("E1", "E2", "E3")
@pytest.mark.parametrize("profile", ["all", "quarter", "one-in-32"])
def test_a_whole_step_leaves_the_same_logits_and_takes_the_same_greedy_tokens(profile):
    case = Case(2 * GREEDY_EVERY, 5003, profile, "step")
    ours, theirs = sides(case)
    assert case.equal(ours, theirs, case.logits())


@pytest.mark.law("D4", "C5")
def test_they_agree_while_outputs_grow():
    case = Case(8, 1009, "quarter", "step")
    requests = our_requests(case)
    ours, theirs = case.ours(requests), Vllm(case, requests)
    for token in range(20):
        base = case.logits().roll(token, dims=1)
        assert case.equal(ours, theirs, base)
        for request in requests:
            request.output_token_ids.append((token * 31) % case.vocabulary)


@pytest.mark.law("E3")
def test_sampled_tokens_lie_in_the_support_of_the_other_side():
    case = Case(16, 1009, "all", "top_k_top_p")
    requests = our_requests(case)
    full = Case(16, 1009, "all", "step")
    theirs = Vllm(case, requests)
    sampler = type(full.ours(requests))(full, requests)
    support = case.logits()
    theirs.play(support)
    for _ in range(20):
        tokens = sampler.play(case.logits())
        assert all(support[row, token] > -torch.inf for row, token in enumerate(tokens))


def test_every_feature_is_compared():
    compared = {name for operation in (*BIT_FOR_BIT, *ON_THE_EDGE) for name in FEATURES[operation]}
    assert compared == set(FEATURES["step"])
