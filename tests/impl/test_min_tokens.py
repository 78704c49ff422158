"""Min-tokens against a scalar row function, in three dtypes, while outputs grow."""

from __future__ import annotations

import math

import pytest
import torch

from logitproof.impl.processors import MinTokensLogitsProcessor
from logitproof.spec import BatchUpdate, SamplingParams

INF, NAN = math.inf, math.nan
PLAIN = SamplingParams()
VOCAB = 9


def expected_row(params, outputs, row):
    """Ban the stop tokens below the minimum, unless no finite logit would be left."""
    if len(outputs) >= params.min_tokens:
        return row
    values = row.tolist()
    banned = [-INF if token in params.all_stop_token_ids else value for token, value in enumerate(values)]
    return torch.tensor(banned, dtype=row.dtype) if any(map(math.isfinite, banned)) else row


def random_params(rng):
    return SamplingParams(
        min_tokens=rng.choice([0, 1, 2, 4, 9]),
        stop_token_ids=rng.sample(range(VOCAB), rng.choice([0, 1, 3, VOCAB])),
        eos_token_id=rng.choice([None, 2]),
    )


@pytest.mark.law("C1", "C4", "C5", "C6", "D1", "D2", "D4", "D8")
def test_rows_are_right_after_random_updates(random_engine, make_processor, dtype, assert_same_rows):
    generator = torch.Generator().manual_seed(0)
    for seed in range(20):
        processor = make_processor(MinTokensLogitsProcessor)
        for update, tenants in random_engine(seed, random_params):
            processor.update_state(update)
            logits = torch.randn(len(tenants), VOCAB, generator=generator).to(dtype)
            logits[torch.rand(logits.shape, generator=generator) < 0.5] = -INF
            pairs = zip(tenants, logits, strict=True)
            expected = [expected_row(tenant.params, tenant.outputs, row) for tenant, row in pairs]
            result = processor.apply(logits.clone())
            assert_same_rows(result, torch.stack(expected) if expected else logits)


@pytest.mark.law("C4", "C5")
def test_the_ban_ends_at_exactly_the_minimum(make_processor, add):
    outputs = []
    params = SamplingParams(min_tokens=2, stop_token_ids=[1], eos_token_id=2)
    processor = make_processor(MinTokensLogitsProcessor)
    processor.update_state(add(params, outputs=[outputs]))
    seen = []
    for _ in range(3):
        seen.append(processor.apply(torch.zeros(1, 3))[0].tolist())
        outputs.append(-1)
        processor.update_state(None)
    assert seen == [[0.0, -INF, -INF], [0.0, -INF, -INF], [0.0, 0.0, 0.0]]
    assert processor.is_argmax_invariant() is False


@pytest.mark.law("C5")
def test_a_resumed_request_counts_the_outputs_it_has(make_processor, add):
    params = SamplingParams(min_tokens=2, stop_token_ids=[1])
    processor = make_processor(MinTokensLogitsProcessor)
    processor.update_state(add(params, params, outputs=[[7], [7, 7]]))
    assert processor.apply(torch.zeros(2, 2)).tolist() == [[0.0, -INF], [0.0, 0.0]]


@pytest.mark.law("D8")
@pytest.mark.parametrize("row", [[-INF, 1.0, 2.0], [NAN, 1.0, -INF], [INF, -INF, 2.0], [-INF, -INF, -INF]])
def test_a_row_with_stop_tokens_only_is_left_alone(make_processor, add, dtype, row, assert_same_rows):
    processor = make_processor(MinTokensLogitsProcessor)
    ordinary = [0.0, 1.0, 2.0]
    stops = SamplingParams(min_tokens=2, stop_token_ids=[1, 2])
    processor.update_state(add(stops, stops))
    result = processor.apply(torch.tensor([row, ordinary], dtype=dtype))
    assert_same_rows(result, torch.tensor([row, [0.0, -INF, -INF]], dtype=dtype))


@pytest.mark.law("D8")
def test_a_finite_logit_far_to_the_right_is_seen(make_processor, add):
    processor = make_processor(MinTokensLogitsProcessor)
    processor.update_state(add(SamplingParams(min_tokens=2, stop_token_ids=[0])))
    logits = torch.full((1, 300), -INF)
    logits[0, 0] = logits[0, -1] = 1.0
    assert processor.apply(logits).isfinite().nonzero().tolist() == [[0, 299]]


@pytest.mark.law("D3")
@pytest.mark.parametrize(
    "params", [PLAIN, SamplingParams(min_tokens=3), SamplingParams(stop_token_ids=[1], eos_token_id=0)]
)
def test_without_users_the_very_tensor_comes_back(make_processor, add, params):
    processor = make_processor(MinTokensLogitsProcessor)
    processor.update_state(add(params))
    logits = torch.zeros(1, 2)
    assert processor.apply(logits) is logits
    assert torch.equal(logits, torch.zeros(1, 2))


def test_nothing_is_uploaded_unless_a_row_comes_goes_or_reaches_its_minimum(make_processor, add, uploads):
    outputs = [[], []]
    processor = make_processor(MinTokensLogitsProcessor)
    limits = [SamplingParams(min_tokens=n, stop_token_ids=[1]) for n in (2, 5)]
    processor.update_state(add(*limits, outputs=outputs))
    uploading = []
    for _ in range(6):
        for tokens in outputs:
            tokens.append(0)
        uploads.clear()
        processor.update_state(None)
        uploading.append(bool(uploads))
    # The last row leaves nothing behind to upload.
    assert uploading == [False, True, False, False, False, False]


@pytest.mark.law("C6")
def test_a_removed_requests_outputs_are_no_longer_watched(make_processor, add):
    processor = make_processor(MinTokensLogitsProcessor)
    processor.update_state(add(SamplingParams(min_tokens=2, stop_token_ids=[1])))
    processor.update_state(BatchUpdate(0, [0], [], []))
    assert processor.apply(torch.zeros(1, 2)).tolist() == [[0.0, 0.0]]
