"""The weights of a row on a host, exp(logit), and their sums by chunks of columns."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import torch

Array: TypeAlias = npt.NDArray[Any]

CHUNK = 128
"""Columns that are summed together: few enough for float32, and a thousand chunks are quickly searched."""
LOWEST = -80.0
"""Below it weights are denormal and take fifty times as long; none of them is felt in a float64 sum."""
NOTHING = 1e-30
"""A sum of one chunk that holds nothing but weights of `LOWEST`; the weight of a banned token is one of them."""
_SAFE = (1e-3, 1e30)
"""Totals whose weights need no shift: whatever `LOWEST` stands for is nothing beside them."""


@dataclass(frozen=True, slots=True)
class Weights:
    """values: float32 (vocab_size,), exp(logit - shift). sums: float64 (num_chunks,), 0 for less than `NOTHING`.

    total: of all, positive.
    """

    values: Array
    sums: Array
    total: float
    shift: float


class Weigher:
    """Weighs one row after the other in one buffer: a fresh one for each would cost more than the arithmetic."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer = torch.empty(0)

    def weigh(self, row: torch.Tensor) -> Weights | None:
        """The weights, valid until the next call; None if the highest logit is not finite, or a logit is NaN.

        row: float tensor (vocab_size,).
        """
        if len(self._buffer) != len(row):
            self._buffer = torch.empty(len(row))
        logits = row if row.dtype == torch.float32 else row.float()
        torch.clamp(logits, min=LOWEST, out=self._buffer).exp_()
        weights = self._summed(0.0)
        if _SAFE[0] < weights.total < _SAFE[1]:
            return weights
        highest = float(row.amax())
        if not math.isfinite(highest):
            return None
        # The difference first: float64 logits may lie beyond float32.
        self._buffer.copy_(row - highest).clamp_(min=LOWEST).exp_()
        return self._summed(highest)

    def _summed(self, shift: float) -> Weights:
        whole = len(self._buffer) // CHUNK * CHUNK
        sums = self._buffer[:whole].view(-1, CHUNK).sum(1)
        if whole < len(self._buffer):
            sums = torch.cat([sums, self._buffer[whole:].sum().unsqueeze(0)])
        wide = sums.double().numpy()
        wide[wide < NOTHING] = 0.0
        return Weights(self._buffer.numpy(), wide, float(wide.sum()), shift)


def survivors(row: torch.Tensor) -> npt.NDArray[np.bool_] | None:
    """The chunks that are not banned whole: bool (num_chunks,); None unless they are few and the row may be short.

    Only a row whose first chunk is banned is looked at: an earlier cut has left little of it, or nearly so.
    row: float32 or float64 tensor (vocab_size,).
    """
    values = row.numpy()
    if len(values) < 16 * CHUNK or values[:CHUNK].max() != -math.inf:
        return None
    alive: npt.NDArray[np.bool_] = chunk_maxima(row) != -math.inf
    return alive if 0 < np.count_nonzero(alive) * 4 <= len(alive) else None


def chunk_maxima(row: torch.Tensor) -> Array:
    """The maximum of every chunk of `CHUNK` columns, the last one perhaps shorter; NaN where a chunk holds one."""
    whole = len(row) // CHUNK * CHUNK
    maxima: torch.Tensor = row[:whole].view(-1, CHUNK).amax(1)
    if whole < len(row):
        maxima = torch.cat([maxima, row[whole:].amax().unsqueeze(0)])
    return maxima.numpy()


def in_chunks(values: Array, chosen: npt.NDArray[np.bool_]) -> Array:
    """The values that lie in the chosen chunks. values: (vocab_size,); chosen: (num_chunks,)."""
    whole = len(values) // CHUNK
    found: Array = values[: whole * CHUNK].reshape(whole, CHUNK)[chosen[:whole]].ravel()
    if len(chosen) > whole and chosen[whole]:
        found = np.concatenate([found, values[whole * CHUNK :]])
    return found
