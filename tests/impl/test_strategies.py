"""Both ways to work on rows give what the definition gives, at sizes where the short cuts are taken."""

from __future__ import annotations

import math
import random

import pytest
import torch

from logitproof.impl import ENTRIES, Staging
from logitproof.impl.accelerator_rows import AcceleratorRows
from logitproof.impl.host_rows import HostRows
from logitproof.impl.processors import number_per_row
from logitproof.impl.row_values import row_values
from logitproof.spec import BatchUpdate, EngineConfig, SamplingParams

INF = math.inf
VOCAB = 10_007  # no multiple of a chunk, above every size that is searched plainly
CPU = torch.device("cpu")


def batch(dtype, scale=2.0, seed=0):
    """Ordinary rows, then odd ones: few survivors, ties, all banned, NaN, +inf, wide, far from 0, extreme."""
    logits = torch.randn(13, VOCAB, generator=torch.Generator().manual_seed(seed)) * scale
    logits[3][logits[3] < 3 * scale] = -INF
    logits[4] = logits[4].round()
    logits[5] = -INF
    logits[6, 17] = math.nan
    logits[7, 17] = INF
    logits[8] *= 40
    logits[9] -= 1e4
    logits[10] = 2.5
    logits[11] = -INF
    logits[11, VOCAB - 1] = -7.0
    logits = logits.to(dtype)
    logits[12, ::2], logits[12, 1::2] = torch.finfo(dtype).max, torch.finfo(dtype).min
    return logits


def values(numbers):
    return row_values(enumerate(numbers), Staging(CPU, False))


def top_p_definition(row, p):
    row = row.double()
    if not row.max().isfinite():
        return row
    ordered = row.sort(descending=True).values
    weights = (ordered - ordered[0]).exp()
    likelier = weights.cumsum(0) - weights
    edge = ordered[int((likelier / weights.sum() < p).sum()) - 1]
    return row.masked_fill(row < edge, -INF)


def top_k_definition(row, k):
    row = row.double()
    return row.masked_fill(row < row.topk(k).values[-1], -INF) if row.max().isfinite() else row


@pytest.mark.law("D8", "D4")
@pytest.mark.parametrize("way", [HostRows, AcceleratorRows])
@pytest.mark.parametrize("p", [1e-9, 0.2, 0.9, 0.999])
@pytest.mark.parametrize("scale", [0.3, 2.0, 6.0])
def test_top_p_is_its_definition(way, p, scale, dtype, assert_same_rows):
    logits = batch(dtype, scale)
    result = logits.clone()
    way().cut_top_p(result, values([p] * len(logits)))
    assert_same_rows(result.double(), torch.stack([top_p_definition(row, p) for row in logits]))


@pytest.mark.law("D8", "D4")
@pytest.mark.parametrize("way", [HostRows, AcceleratorRows])
@pytest.mark.parametrize("k", [1, 5, 50, 5000, VOCAB - 1])
def test_top_k_is_its_definition(way, k, dtype, assert_same_rows):
    logits = batch(dtype)
    result = logits.clone()
    way().cut_top_k(result, values([k] * len(logits)))
    assert_same_rows(result.double(), torch.stack([top_k_definition(row, k) for row in logits]))


@pytest.mark.law("D5", "D8")
@pytest.mark.parametrize("way", [HostRows, AcceleratorRows])
@pytest.mark.parametrize("temperature", [1e-10, 0.3, 3.0])
def test_division_leaves_every_row_with_what_it_had(way, temperature, dtype):
    logits = torch.tensor([[1e30, 2e30, -1e30, -INF], [-1e30, -2e30, 0.0, -INF], [-1e30] * 3 + [-3e30]])
    logits = torch.where(logits.isfinite(), logits.clamp(-6e4, 6e4), logits) if dtype.itemsize < 4 else logits
    result = logits.to(dtype)
    way().divide(result, values([temperature] * len(logits)))
    assert result.amax(dim=1).isfinite().all()
    assert not result.isnan().any()
    best = logits.to(dtype).argmax(dim=1, keepdim=True)
    assert torch.equal(result.gather(1, best).squeeze(1), result.amax(dim=1))


@pytest.mark.law("E1")
@pytest.mark.parametrize("way", [HostRows, AcceleratorRows])
def test_the_argmax_is_the_lowest_of_the_highest_and_odd_rows_have_none(way):
    logits = batch(torch.float32)
    expected = [int(row.argmax()) if row.max().isfinite() else -1 for row in logits]
    assert way().argmax(logits, list(range(len(logits)))).tolist() == expected
    assert way().argmax(logits, [10, 4, 5]).tolist() == [0, expected[4], -1]


@pytest.mark.law("D8", "D4")
@pytest.mark.parametrize("way", [HostRows, AcceleratorRows])
@pytest.mark.parametrize("share", [0.0, 0.25, 0.9, 1 - 2**-53])
def test_a_draw_inverts_the_distribution(way, share):
    logits = batch(torch.float32)
    rows = list(range(len(logits)))
    drawn = way().draw(logits, rows, torch.full((len(rows),), share, dtype=torch.float64)).tolist()
    for row, token in zip(logits, drawn, strict=True):
        if not row.max().isfinite():
            assert token == -1
            continue
        weights = (row.double() - row.max()).exp()
        cumulative = weights.cumsum(0) / weights.sum()
        assert row[token] > -INF
        assert cumulative[token] - weights[token] / weights.sum() <= share + 1e-6
        assert cumulative[token] >= share - 1e-6


class OnDevice(torch.Tensor):
    """Stands for a tensor on an accelerator: whatever would make the host wait for it is an error."""

    WAITS = frozenset(
        (
            "item",
            "tolist",
            "__bool__",
            "__float__",
            "__int__",
            "__index__",
            "nonzero",
            "cpu",
            "numpy",
            "unique",
        )
    )

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "")
        index = args[1] if name in ("__getitem__", "__setitem__") else ()
        parts = index if isinstance(index, tuple) else (index,)
        is_mask = any(isinstance(part, torch.Tensor) and part.dtype == torch.bool for part in parts)
        if name in cls.WAITS or is_mask:
            raise AssertionError(f"{name} makes the host wait for the device")
        return super().__torch_function__(function, types, args, kwargs or {})


@pytest.fixture
def on_device(monkeypatch):
    """Everything staged is on the device, and the strategy is the accelerator's."""
    monkeypatch.setattr(Staging, "is_on_host", property(lambda self: False))
    monkeypatch.setattr(Staging, "upload", lambda self, host: host.as_subclass(OnDevice))
    for module in (number_per_row,):
        monkeypatch.setattr(module, "strategy_for", lambda device: AcceleratorRows())


def test_the_stand_in_notices_waiting():
    tensor = torch.tensor([1.0, 2.0]).as_subclass(OnDevice)
    for wait in (lambda: tensor.max().item(), lambda: tensor[tensor > 1], lambda: bool((tensor > 0).all())):
        with pytest.raises(AssertionError, match="makes the host wait"):
            wait()


@pytest.mark.law("D4")
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_apply_never_waits_for_an_accelerator_and_does_the_same(entry, on_device, make_processor, dtype):
    rng = random.Random(3)
    params = [entry.sample_params(rng, VOCAB) if row % 2 else SamplingParams() for row in range(12)]
    outputs = [[rng.randrange(VOCAB) for _ in range(2)] for _ in params]
    added = [(row, p, [3, 4], o) for row, (p, o) in enumerate(zip(params, outputs, strict=True))]
    logits = batch(dtype)
    away = make_processor(entry.processor)
    away.update_state(BatchUpdate(len(added), [], added, []))
    result = away.apply(logits.clone().as_subclass(OnDevice)).as_subclass(torch.Tensor)
    with pytest.MonkeyPatch.context() as host:
        host.setattr(Staging, "is_on_host", property(lambda self: True))
        host.setattr(Staging, "upload", lambda self, tensor: tensor)
        for module in (number_per_row,):
            host.setattr(module, "strategy_for", lambda device: HostRows())
        here = entry.processor(EngineConfig(), CPU, False)
        here.update_state(BatchUpdate(len(added), [], added, []))
        expected = here.apply(logits.clone())
    torch.testing.assert_close(result, expected, rtol=0, atol=0, equal_nan=True)
    assert not torch.equal(result.nan_to_num(), logits.nan_to_num())
