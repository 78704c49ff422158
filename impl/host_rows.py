"""Rows in the host's own memory: one row at a time, while it is in the cache, and no row that is not named.

A single `threshold_` pass drops tokens at a seventh of the price of a mask, so every cut is reduced to one number.
"""

from __future__ import annotations

import math

import numpy as np
import torch

from .cell_arithmetic import finite_or_before, wide
from .host_draw import NO_TOKEN, draw_rows
from .host_top_k import kth_largest
from .host_top_p import nucleus_edge
from .host_weights import Weigher
from .row_values import RowValues


class HostRows:
    """See `strategy.Strategy`."""

    def __init__(self) -> None:
        self._weigher = Weigher()

    def divide(self, logits: torch.Tensor, temperatures: RowValues) -> None:
        for number, temperature in zip(temperatures.rows, temperatures.values, strict=True):
            row = logits[number]
            shift = overflow_shift(row, temperature)
            if shift is None:
                row.copy_(finite_or_before(torch, wide(row), wide(row) / temperature, row.dtype))
                continue
            if row.dtype.itemsize == 2:
                row.copy_((row.float() - shift).div_(temperature))
                continue
            if shift:
                row.sub_(shift)
            values = row.numpy()
            with np.errstate(over="ignore"):
                np.divide(values, values.dtype.type(temperature), out=values)

    def cut_min_p(self, logits: torch.Tensor, log_min_p: RowValues) -> None:
        for number, log_p in zip(log_min_p.rows, log_min_p.values, strict=True):
            row = logits[number]
            highest = highest_of(row)
            if math.isfinite(highest):
                drop_below(row, highest + log_p)

    def cut_top_k(self, logits: torch.Tensor, top_k: RowValues) -> None:
        for number, k in zip(top_k.rows, top_k.values, strict=True):
            if k < logits.shape[1]:
                row = logits[number]
                drop_below(row, kth_largest(readable(row), int(k)))

    def cut_top_p(self, logits: torch.Tensor, top_p: RowValues) -> None:
        for number, p in zip(top_p.rows, top_p.values, strict=True):
            row = logits[number]
            drop_below(row, nucleus_edge(readable(row), p, self._weigher))

    def argmax(self, logits: torch.Tensor, rows: list[int]) -> torch.Tensor:
        tokens = []
        for number in rows:
            # numpy's argmax is vectorised, torch's is not; both take the first of several.
            values = readable(logits[number]).numpy()
            token = int(values.argmax())
            tokens.append(token if math.isfinite(values[token]) else NO_TOKEN)
        return torch.tensor(tokens)

    def draw(self, logits: torch.Tensor, rows: list[int], uniform: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(draw_rows(readable(logits), rows, uniform.numpy(), self._weigher))


def overflow_shift(row: torch.Tensor, temperature: float) -> float | None:
    """What to subtract so that the division cannot overflow: nearly always 0, else the highest logit.

    Softmax does not see a shift, and a highest logit of 0 stays where it is. None: the highest is infinite or NaN.
    """
    if temperature >= 1.0:
        return 0.0
    highest = highest_of(row)
    if not math.isfinite(highest):
        return None
    return highest if abs(highest) > torch.finfo(row.dtype).max * temperature else 0.0


def highest_of(row: torch.Tensor) -> float:
    """The highest logit, NaN if one is; numpy's maximum is quicker than torch's where it has the dtype."""
    return float(row.amax() if row.dtype.itemsize == 2 else row.numpy().max())


def readable(row: torch.Tensor) -> torch.Tensor:
    """The row in a dtype that numpy knows, exactly; float32 and float64 rows themselves."""
    return row.float() if row.dtype.itemsize == 2 else row


def drop_below(row: torch.Tensor, cutoff: float) -> None:
    """Set every logit below the cutoff to -inf, in place; a cutoff of -inf or NaN drops nothing."""
    if cutoff > -math.inf:
        torch.threshold_(row, largest_below(cutoff, row.dtype), -math.inf)


def largest_below(cutoff: float, dtype: torch.dtype) -> float:
    """The largest number of the dtype below a finite cutoff, so that comparing with it is exact in every dtype."""
    if cutoff <= torch.finfo(dtype).min:
        return -math.inf
    if dtype == torch.float32:
        nearest = np.float32(cutoff)
        # numpy would compare a float32 scalar with a Python float in float32.
        return float(nearest if float(nearest) < cutoff else np.nextafter(nearest, np.float32(-math.inf)))
    rounded = torch.tensor(cutoff, dtype=dtype)
    if rounded.double() >= cutoff:
        rounded = rounded.nextafter(torch.tensor(-math.inf, dtype=dtype))
    return float(rounded)
