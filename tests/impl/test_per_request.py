"""A function of one request becomes a batch processor that follows its request through the batch."""

from __future__ import annotations

import pytest
import torch

from logitproof.impl import per_request
from logitproof.spec import SamplingParams

USES = {"ban_last": True}


def ban_last(output_ids, logits):
    if output_ids and output_ids[-1] >= 0:
        logits[output_ids[-1]] = -float("inf")
    return logits


def ban_both(prompt_ids, output_ids, logits):
    banned = [*(prompt_ids or []), *(token for token in output_ids if token >= 0)]
    return logits.index_fill(0, torch.tensor(banned, dtype=torch.int64), -float("inf"))


def uses(params):
    return bool(params.extra_args)


def random_params(rng):
    return SamplingParams(extra_args=USES if rng.random() < 0.5 else None)


@pytest.mark.law("C1", "C4", "C5", "D2", "D4")
@pytest.mark.parametrize("function", [ban_last, ban_both])
def test_the_function_sees_its_own_request_wherever_it_moves(
    function, random_engine, make_processor, assert_same_rows
):
    for seed in range(5):
        processor = make_processor(per_request(function, uses=uses))
        for update, tenants in random_engine(seed, random_params):
            processor.update_state(update)
            logits = torch.randn(len(tenants), 33)
            result = processor.apply(logits.clone())
            for tenant, before, after in zip(tenants, logits, result, strict=True):
                arguments = (tenant.outputs,) if function is ban_last else (tenant.prompt, tenant.outputs)
                wanted = function(*arguments, before.clone()) if uses(tenant.params) else before
                assert_same_rows(after, wanted)


@pytest.mark.law("D3")
def test_without_users_the_very_tensor_comes_back(make_processor, add):
    processor = make_processor(per_request(ban_last, uses=uses))
    processor.update_state(add(SamplingParams()))
    logits = torch.zeros(1, 4)
    assert processor.apply(logits) is logits


@pytest.mark.law("D1")
@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (lambda outputs, row: None, TypeError, "must return it too"),
        (lambda outputs, row: row[:2], ValueError, r"shape \(2,\)"),
    ],
)
def test_a_function_that_returns_no_row_is_named(make_processor, add, function, error, message):
    processor = make_processor(per_request(function))
    processor.update_state(add(SamplingParams()))
    with pytest.raises(error, match=message):
        processor.apply(torch.zeros(1, 4))


@pytest.mark.law("D1")
def test_a_row_may_come_back_as_a_batch_of_one(make_processor, add):
    processor = make_processor(per_request(lambda outputs, row: row[None] + 1.0))
    processor.update_state(add(SamplingParams()))
    assert processor.apply(torch.zeros(1, 4)).tolist() == [[1.0] * 4]


@pytest.mark.law("E5", "D5")
def test_its_form_and_its_claim_are_checked_when_it_is_made(make_processor):
    with pytest.raises(TypeError, match="one of these two forms"):
        per_request(lambda row: row)
    assert make_processor(per_request(ban_last)).is_argmax_invariant() is False
    assert make_processor(per_request(ban_last, argmax_invariant=True)).is_argmax_invariant() is True
