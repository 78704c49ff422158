"""Log-probabilities of the rows that ask for them, raw or processed, whatever the neighbours."""

from __future__ import annotations

import math

import pytest
import torch

from logitproof.impl import LogprobsMode, Request, Runner, Sampler, SchedulerOutput, load_processors
from logitproof.spec import BatchUpdate, EngineConfig, ModelConfig, SamplingParams

ROW = [1.0, 3.0, 2.0, 3.0, -math.inf, 0.0]


def step(mode, *params):
    requests = [Request(str(row), p, [0], []) for row, p in enumerate(params)]
    processors = load_processors((), EngineConfig(), torch.device("cpu"), False)
    added = [(row, r.params, r.prompt_token_ids, r.output_token_ids) for row, r in enumerate(requests)]
    processors.update_state(BatchUpdate(len(added), [], added, []))
    return Sampler(processors, mode).step(torch.tensor([ROW] * len(params)), requests)


def softmax(row):
    return torch.tensor(row, dtype=torch.float64).log_softmax(0).tolist()


@pytest.mark.law("E3")
def test_raw_ones_are_of_the_model_and_processed_ones_of_what_was_drawn_from():
    params = SamplingParams(logprobs=2, temperature=0.5, top_k=2, logit_bias={0: 9.0}, seed=1)
    raw, processed = (step(mode, params).logprobs[0] for mode in LogprobsMode)
    assert raw.token_id == processed.token_id == 0
    assert raw.logprob == pytest.approx(softmax(ROW)[0])
    assert raw.rank == 4
    assert [token for token, _ in raw.top] == [1, 3]
    final = [20.0, 6.0, -math.inf, 6.0, -math.inf, -math.inf]
    assert processed.logprob == pytest.approx(softmax(final)[0], abs=1e-6)
    assert processed.rank == 1
    assert [token for token, _ in processed.top] == [0, 1]


@pytest.mark.law("D4", "E4")
def test_a_greedy_row_reports_the_same_in_any_company():
    greedy = SamplingParams(temperature=0.0, logprobs=3, top_p=0.5)
    alone = step(LogprobsMode.PROCESSED, greedy).logprobs[0]
    mixed = step(LogprobsMode.PROCESSED, SamplingParams(), greedy).logprobs
    assert mixed == [None, alone]
    assert alone.logprob == pytest.approx(softmax(ROW)[1])


def test_banned_tokens_are_left_out_and_zero_asks_for_the_sampled_one_only():
    many = step(LogprobsMode.RAW, SamplingParams(logprobs=100, temperature=0.0)).logprobs[0]
    assert [token for token, _ in many.top] == [1, 3, 2, 0, 5]
    assert many.rank == 1
    assert step(LogprobsMode.RAW, SamplingParams(logprobs=0)).logprobs[0].top == ()


def test_the_runner_hands_them_out_by_request():
    config = EngineConfig(model_config=ModelConfig(vocab_size=6))
    runner = Runner(config, lambda requests: torch.tensor([ROW] * len(requests)))
    asks = Request("asks", SamplingParams(logprobs=1, temperature=0.0), [0])
    plain = Request("plain", SamplingParams(), [0])
    for request in (plain, asks):
        runner.add_request(request)
    tokens = runner.step(SchedulerOutput(new=[plain, asks]))
    assert set(runner.logprobs) == {"asks"}
    assert runner.logprobs["asks"].token_id == tokens["asks"] == 1
    runner.step(SchedulerOutput(finished=["asks"]))
    assert runner.logprobs == {}
