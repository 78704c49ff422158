"""Logit bias against a scalar row function, in three dtypes."""

from __future__ import annotations

import math

import pytest
import torch

from logitproof.impl.processors import LogitBiasLogitsProcessor
from logitproof.spec import BatchUpdate, SamplingParams

INF, NAN = math.inf, math.nan
VOCAB = 33
PLAIN = SamplingParams()


def expected_row(bias, row):
    """One float32 addition per biased token, rounded to the row's dtype."""
    result = row.clone()
    for token, value in (bias or {}).items():
        result[token] = (row[token].float() + torch.tensor(value, dtype=torch.float32)).to(row.dtype)
    return result


def random_params(rng):
    tokens = rng.sample(range(VOCAB), rng.choice([0, 0, 1, 5]))
    return SamplingParams(logit_bias={token: rng.uniform(-10, 10) for token in tokens})


@pytest.mark.law("C1", "C4", "C6", "D1", "D2", "D4")
def test_rows_are_right_after_random_updates(random_engine, make_processor, dtype, assert_same_rows):
    generator = torch.Generator().manual_seed(0)
    for seed in range(10):
        processor = make_processor(LogitBiasLogitsProcessor)
        for update, tenants in random_engine(seed, random_params):
            processor.update_state(update)
            logits = torch.randn(len(tenants), VOCAB, generator=generator).to(dtype)
            expected = [
                expected_row(t.params.logit_bias, row) for t, row in zip(tenants, logits, strict=True)
            ]
            result = processor.apply(logits.clone())
            assert_same_rows(result, torch.stack(expected) if expected else logits)


@pytest.mark.law("D5")
def test_a_large_bias_changes_the_winner(make_processor, add):
    processor = make_processor(LogitBiasLogitsProcessor)
    processor.update_state(add(SamplingParams(logit_bias={0: -100.0})))
    assert processor.is_argmax_invariant() is False
    assert processor.apply(torch.tensor([[5.0, 1.0]])).argmax() == 1


@pytest.mark.law("D8")
def test_infinite_and_nan_logits_keep_what_addition_gives(make_processor, add, dtype, assert_same_rows):
    processor = make_processor(LogitBiasLogitsProcessor)
    processor.update_state(add(SamplingParams(logit_bias={0: 1e300, 1: -1e300, 2: 5, 3: 1})))
    logits = torch.tensor([[-INF, INF, NAN, 0.0]], dtype=dtype)
    assert_same_rows(processor.apply(logits.clone()), torch.tensor([[-INF, INF, NAN, 1.0]], dtype=dtype))


@pytest.mark.law("D8")
@pytest.mark.parametrize("bias", [-1e300, -3.4e38, 1e300])
def test_a_finite_sum_stays_finite(make_processor, add, dtype, bias):
    processor = make_processor(LogitBiasLogitsProcessor)
    processor.update_state(add(SamplingParams(logit_bias={0: bias, 1: bias})))
    limits = torch.finfo(dtype)
    result = processor.apply(torch.tensor([[limits.min, limits.max]], dtype=dtype))
    assert result.isfinite().all()


@pytest.mark.law("D3")
@pytest.mark.parametrize("bias", [None, {}])
def test_without_users_the_very_tensor_comes_back(make_processor, add, bias):
    processor = make_processor(LogitBiasLogitsProcessor)
    processor.update_state(add(SamplingParams(logit_bias={1: 3.0})))
    processor.update_state(BatchUpdate(1, [], [(0, SamplingParams(logit_bias=bias), None, [])], []))
    logits = torch.zeros(1, 2)
    assert processor.apply(logits) is logits
    assert torch.equal(logits, torch.zeros(1, 2))


def test_nothing_is_uploaded_unless_a_biased_row_changes(make_processor, add, uploads):
    processor = make_processor(LogitBiasLogitsProcessor)
    processor.update_state(add(SamplingParams(logit_bias={1: 3.0}), PLAIN))
    assert uploads
    uploads.clear()
    processor.update_state(None)
    processor.update_state(BatchUpdate(3, [], [(2, PLAIN, None, [])], []))
    processor.update_state(BatchUpdate(1, [2, 1], [], []))
    assert not uploads


def test_requests_that_share_params_do_not_share_rows(make_processor, add):
    shared = SamplingParams(logit_bias={1: 3.0})
    processor = make_processor(LogitBiasLogitsProcessor)
    processor.update_state(add(shared, shared))
    processor.update_state(BatchUpdate(1, [1], [], []))
    assert processor.apply(torch.zeros(2, 2)).tolist() == [[0.0, 3.0], [0.0, 0.0]]
