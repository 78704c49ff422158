"""Rows on an accelerator: a few dense kernels over the rows in use, and nothing that makes the host wait."""

from __future__ import annotations

import math

import torch

from .cell_arithmetic import finite_or_before
from .inverse_cdf import draw_tokens
from .row_values import RowValues


class AcceleratorRows:
    """See `strategy.Strategy`. Comparing half-precision logits in float32 is exact."""

    def divide(self, logits: torch.Tensor, temperatures: RowValues) -> None:
        rows = _wide(logits[temperatures.device_rows])
        divisor = temperatures.device_values.to(rows.dtype).unsqueeze(1)
        highest = rows.amax(dim=1, keepdim=True)
        largest = torch.finfo(logits.dtype).max
        overflows = highest.isfinite() & (highest.abs().double() / divisor.double() > largest)
        scaled = (rows - torch.where(overflows, highest, 0)).div_(divisor)
        scaled = torch.where(highest.isfinite(), scaled, finite_or_before(torch, rows, scaled, logits.dtype))
        logits[temperatures.device_rows] = scaled.to(logits.dtype)

    def cut_min_p(self, logits: torch.Tensor, log_min_p: RowValues) -> None:
        rows = logits[log_min_p.device_rows]
        highest = rows.amax(dim=1)
        cutoff = torch.where(highest.isfinite(), highest.double() + log_min_p.device_values, math.nan)
        _write_cut(logits, log_min_p.device_rows, rows, cutoff)

    def cut_top_k(self, logits: torch.Tensor, top_k: RowValues) -> None:
        vocab_size = logits.shape[1]
        most = min(max(int(k) for k in top_k.values), vocab_size)
        rows = logits[top_k.device_rows]
        largest = _wide(rows).topk(most, dim=1).values
        place = top_k.device_values.long().clamp(max=most).sub(1).unsqueeze(1)
        # A NaN counts as the largest, so the first value shows every odd row.
        cutoff = torch.where(largest[:, 0].isfinite(), largest.gather(1, place).squeeze(1).double(), math.nan)
        kept_whole = top_k.device_values >= vocab_size
        _write_cut(logits, top_k.device_rows, rows, cutoff.masked_fill(kept_whole, math.nan))

    def cut_top_p(self, logits: torch.Tensor, top_p: RowValues) -> None:
        rows = logits[top_p.device_rows]
        descending = rows.double().sort(dim=1, descending=True).values
        weights = (descending - descending[:, :1]).exp_()
        cumulative = weights.cumsum(dim=1)
        likelier = torch.cat([torch.zeros_like(weights[:, :1]), cumulative[:, :-1]], dim=1)
        kept = (likelier / cumulative[:, -1:] < top_p.device_values.unsqueeze(1)).sum(dim=1, keepdim=True)
        edge = descending.gather(1, (kept - 1).clamp(min=0)).squeeze(1)
        cutoff = torch.where(descending[:, 0].isfinite(), edge, math.nan)
        _write_cut(logits, top_p.device_rows, rows, cutoff)

    def argmax(self, logits: torch.Tensor, rows: list[int]) -> torch.Tensor:
        highest, tokens = _selected(logits, rows).max(dim=1)
        return torch.where(highest.isfinite(), tokens, -1)

    def draw(self, logits: torch.Tensor, rows: list[int], uniform: torch.Tensor) -> torch.Tensor:
        selected = _selected(logits, rows)
        return torch.where(selected.amax(dim=1).isfinite(), draw_tokens(selected, uniform), -1)


def _selected(logits: torch.Tensor, rows: list[int]) -> torch.Tensor:
    """The rows, in order: int list to tensor (num_rows, vocab_size); the logits themselves if that is all of them."""
    if rows == list(range(len(logits))):
        return logits
    index = torch.tensor(rows)
    if logits.device.type == "cuda":
        index = index.pin_memory().to(logits.device, non_blocking=True)
    return logits[index.to(logits.device)]


def _wide(logits: torch.Tensor) -> torch.Tensor:
    return logits.to(torch.promote_types(logits.dtype, torch.float32))


def _write_cut(
    logits: torch.Tensor, device_rows: torch.Tensor, rows: torch.Tensor, cutoff: torch.Tensor
) -> None:
    """Drop what lies below the cutoff, NaN for a row that stays. rows: (num_rows, vocab_size); cutoff: float64."""
    wide = _wide(rows)
    nearest = cutoff.to(wide.dtype)
    below = nearest.nextafter(torch.full_like(nearest, -math.inf))
    highest_dropped = torch.where(nearest.double() < cutoff, nearest, below)
    logits[device_rows] = rows.masked_fill(wide <= highest_dropped.unsqueeze(1), -math.inf)
