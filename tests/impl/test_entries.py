"""Every registry entry: what it declares holds, and its processor equals the reference row through random histories."""

from __future__ import annotations

import math
import random

import pytest
import torch

from logitproof.impl import ENTRIES
from logitproof.model import rows
from logitproof.spec import BatchUpdate, SamplingParams, check_token_ids
from logitproof.targets.known import from_entry

VOCAB = 33
INF = math.inf

each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)


def reference(entry):
    return from_entry(entry).reference


def sampled(entry):
    """Params of the entry, or of a request that asks for nothing."""
    return lambda rng: entry.sample_params(rng, VOCAB) if rng.random() < 0.6 else SamplingParams()


def logits_of(count, dtype, generator):
    """Coarse on purpose, so that ties happen; some banned."""
    logits = (torch.randn(count, VOCAB, generator=generator) * 3 * 8).round() / 8
    logits[torch.rand(count, VOCAB, generator=generator) < 0.1] = -INF
    logits[:, 5] = 1.5
    return logits.to(dtype)


def assert_row(entry, tenant, before, after, dtype):
    wanted = reference(entry)(tenant.params, tenant.prompt, tenant.outputs, before.tolist())
    limit = entry.tolerance[dtype]
    expected = torch.tensor(wanted, dtype=torch.float64)
    torch.testing.assert_close(
        after.double(), expected, rtol=limit.relative, atol=limit.absolute, equal_nan=True
    )


@pytest.mark.law("E1", "E5")
def test_the_order_and_the_declarations_are_those_of_the_model():
    ours = [(entry.name, entry.argmax_invariant) for entry in ENTRIES if entry.reference is None]
    assert ours == [(stage.name, stage.argmax_invariant) for stage in rows.PIPELINE]


@pytest.mark.law("C1", "C4", "C5", "C6", "D1", "D2", "D4")
@each_entry
def test_rows_equal_the_reference_after_random_updates(entry, random_engine, make_processor, dtype):
    generator = torch.Generator().manual_seed(0)
    changed = False
    for seed in range(6):
        processor = make_processor(entry.processor)
        for update, tenants in random_engine(seed, sampled(entry)):
            processor.update_state(update)
            logits = logits_of(len(tenants), dtype, generator)
            result = processor.apply(logits.clone())
            changed |= not torch.equal(result, logits)
            for tenant, before, after in zip(tenants, logits, result, strict=True):
                assert_row(entry, tenant, before, after, dtype)
    assert changed, "the histories must exercise the processor"


@pytest.mark.law("D2", "D3")
@each_entry
def test_plain_rows_are_untouched_and_an_idle_batch_gets_its_tensor_back(entry, make_processor, add, dtype):
    processor = make_processor(entry.processor)
    plain = SamplingParams()
    logits = torch.tensor([[INF, -INF, math.nan, 0.0] + [1e4] * (VOCAB - 4)], dtype=dtype).repeat(2, 1)
    processor.update_state(add(plain, plain))
    assert processor.apply(logits) is logits
    processor.update_state(add(plain, entry.sample_params(random.Random(1), VOCAB), outputs=[[3], [3, 5]]))
    result = processor.apply(logits.clone())
    torch.testing.assert_close(result[0], logits[0], rtol=0, atol=0, equal_nan=True)


@pytest.mark.law("D5")
@each_entry
def test_the_declaration_is_what_the_instance_says_and_is_honest(entry, make_processor, add, dtype):
    processor = make_processor(entry.processor)
    assert processor.is_argmax_invariant() is entry.argmax_invariant
    rng, generator = random.Random(0), torch.Generator().manual_seed(1)
    found_witness = False
    for _ in range(30):
        params = [entry.sample_params(rng, VOCAB) for _ in range(4)]
        processor.update_state(add(*params, outputs=[[rng.randrange(VOCAB)] for _ in params]))
        logits = logits_of(4, dtype, generator)
        result = processor.apply(logits.clone())
        found_witness |= bool((result.argmax(1) != logits.argmax(1)).any())
    assert found_witness is not entry.argmax_invariant


@pytest.mark.law("D6")
@each_entry
def test_rejected_params_are_refused_with_their_message(entry):
    for rejected in entry.rejected:
        with pytest.raises((ValueError, TypeError), match=rejected.message):
            check_token_ids(SamplingParams(**rejected.fields), VOCAB)


ODD_ROWS = [
    [-INF] * 6,
    [math.nan, 1.0, 2.0, -INF, 0.0, 5.0],
    [INF, 1.0, 2.0, -INF, 0.0, 5.0],
    [1e30, -1e30, 1e30, 0.0, -0.0, -INF],
    [1e-42, -1e-42, 0.0, 1e-45, -1e-45, 1e-40],
    [-3.4e38, 3.4e38, 3.3e38, -3.3e38, 0.0, -INF],
    [-INF, -INF, 7.0, -INF, -INF, -INF],
    [2.0, 2.0, 2.0, 2.0, 2.0, 2.0],
]
EXTREME = {
    "allowed_token_ids": [{"allowed_token_ids": ids} for ids in ([0], [5], [5, 5, 0], [3, 900], [900])],
    "bad_words": [
        {"bad_words": w} for w in ([[0]], [[5]], [[1, 5, 0]], [[i] for i in range(6)], [[900], [5, 900]])
    ],
    "min_tokens": [{"min_tokens": 9, "stop_token_ids": ids} for ids in ([0, 5], list(range(6)), [900, 1])],
    "logit_bias": [{"logit_bias": b} for b in ({0: 1e300, 5: -1e300}, {900: 4.0, 1: -2.0}, {0: 1e-300})],
    "repetition_penalty": [{"repetition_penalty": p} for p in (1e-50, 1e50, 1.0 + 2**-20)],
    "frequency_penalty": [{"frequency_penalty": p} for p in (-2.0, 2.0, 1e-300)],
    "presence_penalty": [{"presence_penalty": p} for p in (-2.0, 2.0, 1e-300)],
    "temperature": [{"temperature": t} for t in (1e-300, 1e-10, 1e-3, 1e30, 1.0 - 2**-30)],
    "min_p": [{"min_p": p} for p in (1.0, 1e-300, 1.0 - 2**-40)],
    "top_k": [{"top_k": k} for k in (1, 2, 5, 6, 7, 10**9, -1)],
    "top_p": [{"top_p": p} for p in (1e-9, 1e-300, 0.5, 1.0 - 2**-53)],
}


def test_every_feature_of_the_model_is_taken_to_extremes():
    assert EXTREME.keys() == {stage.name for stage in rows.PIPELINE}


@pytest.mark.law("D8", "D2")
@each_entry
@pytest.mark.parametrize("outputs", [[], [5, 1, 1, 0, -1, 900]], ids=["fresh", "said"])
def test_extreme_params_meet_odd_rows(entry, make_processor, dtype, outputs):
    """Decisions equal the reference; where it leaves the range of the dtype the row stays sampleable."""
    largest = torch.finfo(dtype).max
    for fields in EXTREME.get(entry.name, []):
        params = SamplingParams(**{"max_tokens": None, **fields})
        for odd in ODD_ROWS:
            processor = make_processor(entry.processor)
            added = [(0, params, [0, 5], list(outputs))]
            processor.update_state(BatchUpdate(1, [], added, []))
            before = torch.tensor([odd], dtype=dtype)
            after = processor.apply(before.clone())[0]
            wanted = reference(entry)(params, [0, 5], outputs, before[0].tolist())
            for was, right, got in zip(before[0].tolist(), wanted, after.tolist(), strict=True):
                assert math.isnan(got) == math.isnan(right), (fields, odd)
                if not math.isfinite(was) or not math.isfinite(right):
                    assert got == right or math.isnan(got), (fields, odd, was, right, got)
            finite_before = before.isfinite().any()
            assert not finite_before or after.isfinite().any(), (fields, odd)
            assert not torch.isposinf(after).any() or torch.isposinf(before).any() or math.isnan(odd[0])
            if before[0].amax().isfinite() and entry.argmax_invariant:
                assert after[before.argmax()] == after.max(), (fields, odd)
            small = all(abs(value) <= largest / 4 for value in wanted if math.isfinite(value))
            if small and entry.name not in ("temperature", "repetition_penalty"):
                limit = entry.tolerance[dtype]
                torch.testing.assert_close(
                    after.double(),
                    torch.tensor(wanted, dtype=torch.float64),
                    rtol=2 * limit.relative,
                    atol=2 * limit.absolute,
                    equal_nan=True,
                )
