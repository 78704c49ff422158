"""Min-p against a scalar row function, in three dtypes, on both of its paths."""

from __future__ import annotations

import math

import pytest
import torch

from logitproof.impl import Staging
from logitproof.impl.accelerator_rows import AcceleratorRows
from logitproof.impl.host_rows import HostRows
from logitproof.impl.processors import MinPLogitsProcessor
from logitproof.impl.row_values import row_values
from logitproof.spec import BatchUpdate, SamplingParams

INF, NAN = math.inf, math.nan
PLAIN = SamplingParams()


def expected_row(min_p, row):
    """Scalar and in float64, as the definition says."""
    values = row.tolist()
    highest = NAN if any(math.isnan(value) for value in values) else max(values)
    if min_p == 0 or not math.isfinite(highest):
        return row
    cutoff = highest + math.log(min_p)
    return torch.tensor([-INF if value < cutoff else value for value in values], dtype=row.dtype)


def random_params(rng):
    return SamplingParams(min_p=rng.choice([0.0, 0.0, 0.01, 0.3, 1.0]))


@pytest.mark.law("C1", "C4", "C6", "D1", "D2", "D4")
def test_rows_are_right_after_random_updates(random_engine, make_processor, dtype, assert_same_rows):
    generator = torch.Generator().manual_seed(0)
    for seed in range(10):
        processor = make_processor(MinPLogitsProcessor)
        for update, tenants in random_engine(seed, random_params):
            processor.update_state(update)
            logits = (torch.randn(len(tenants), 33, generator=generator) * 3).to(dtype)
            expected = [expected_row(t.params.min_p, row) for t, row in zip(tenants, logits, strict=True)]
            result = processor.apply(logits.clone())
            assert_same_rows(result, torch.stack(expected) if expected else logits)


@pytest.mark.law("D5")
def test_the_argmax_never_changes(make_processor, add, dtype):
    processor = make_processor(MinPLogitsProcessor)
    processor.update_state(add(*[SamplingParams(min_p=p) for p in (1e-300, 0.1, 1.0)]))
    logits = torch.randn(3, 50, generator=torch.Generator().manual_seed(0)).to(dtype)
    assert processor.is_argmax_invariant() is True
    assert torch.equal(processor.apply(logits.clone()).argmax(dim=1), logits.argmax(dim=1))


@pytest.mark.parametrize("min_p", [0.5, 0.1])
def test_a_token_on_the_boundary_is_kept_and_its_lower_neighbour_dropped(make_processor, add, dtype, min_p):
    cutoff = torch.tensor(math.log(min_p), dtype=torch.float64)
    on = cutoff.to(dtype)
    lowest = torch.tensor(-INF, dtype=dtype)
    if on.double() < cutoff:
        on = on.nextafter(-lowest)
    logits = torch.stack([torch.zeros((), dtype=dtype), on, on.nextafter(lowest)]).unsqueeze(0)
    processor = make_processor(MinPLogitsProcessor)
    processor.update_state(add(SamplingParams(min_p=min_p)))
    assert processor.apply(logits.clone())[0].isfinite().tolist() == [True, True, False]


def test_min_p_of_one_keeps_what_has_the_highest_probability_in_float64(make_processor, add, dtype):
    processor = make_processor(MinPLogitsProcessor)
    processor.update_state(add(SamplingParams(min_p=1.0)))
    logits = torch.tensor([[0.0, -0.0, -1e-3, -1e-40]], dtype=dtype)
    kept = [True, True, False, True]
    assert processor.apply(logits)[0].isfinite().tolist() == kept


@pytest.mark.law("D8")
@pytest.mark.parametrize(
    "row", [[-INF, -INF, -INF], [NAN, 0.0, -9.0], [INF, 0.0, -9.0], [INF, -INF, INF], [-INF, 2.0, -9.0]]
)
def test_odd_rows_stay_sane(make_processor, add, dtype, row, assert_same_rows):
    processor = make_processor(MinPLogitsProcessor)
    processor.update_state(add(SamplingParams(min_p=0.5)))
    logits = torch.tensor([row], dtype=dtype)
    assert_same_rows(processor.apply(logits.clone())[0], expected_row(0.5, logits[0]))


def test_both_paths_agree(dtype, assert_same_rows):
    rows, min_p = [4, 1, 2, 3], [0.2, 0.01, 1.0, 0.5]
    logits = (torch.randn(6, 40, generator=torch.Generator().manual_seed(0)) * 3).to(dtype)
    logits[3] = -INF
    logits[0, 0] = NAN
    by_row, at_once = logits.clone(), logits.clone()
    numbers = zip(rows, map(math.log, min_p), strict=True)
    log_min_p = row_values(numbers, Staging(torch.device("cpu"), False))
    HostRows().cut_min_p(by_row, log_min_p)
    AcceleratorRows().cut_min_p(at_once, log_min_p)
    assert not torch.equal(by_row[1], logits[1])
    assert_same_rows(at_once, by_row)


@pytest.mark.law("D3")
def test_without_users_the_very_tensor_comes_back(make_processor, add, assert_same_rows):
    processor = make_processor(MinPLogitsProcessor)
    logits = torch.tensor([[0.0, -5.0, -INF, NAN]])
    processor.update_state(add(SamplingParams(min_p=0.9)))
    processor.update_state(BatchUpdate(1, [], [(0, PLAIN, None, [])], []))
    assert processor.apply(logits) is logits
    assert_same_rows(logits, torch.tensor([[0.0, -5.0, -INF, NAN]]))


def test_nothing_is_renewed_unless_a_row_that_uses_min_p_changes(make_processor, add):
    processor = make_processor(MinPLogitsProcessor)
    processor.update_state(add(SamplingParams(min_p=0.5), PLAIN))
    before = processor._numbers
    processor.update_state(None)
    processor.update_state(BatchUpdate(3, [], [(2, PLAIN, None, [])], []))
    assert processor._numbers is before


@pytest.mark.law("D2")
def test_padding_rows_are_left_alone(make_processor, add):
    processor = make_processor(MinPLogitsProcessor)
    processor.update_state(add(SamplingParams(min_p=0.5), PLAIN))
    padded = torch.tensor([[0.0, -5.0]] * 4)
    assert processor.apply(padded)[:, 1].isfinite().tolist() == [False, True, True, True]
