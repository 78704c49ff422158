"""The weights of rows on a host, exp(logit), summed by chunks of columns."""

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
"""More than the weight of `LOWEST`, which a banned token has too: a token of less weight is never drawn."""
LIGHT = 2 * CHUNK * NOTHING
"""A chunk that sums up to less counts as nothing; one that does not has a token of more than `NOTHING`."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What the weights exp(logit - shift) of a row add up to; the weights themselves are not kept.

    sums: float32 (num_chunks,). total: 0 for a row whose highest logit is not finite or that holds a NaN, else
    positive; as if in float64.
    """

    sums: Array
    total: float
    shift: float


class Weigher:
    """Weighs one row after the other in one buffer, which stays in the cache."""

    __slots__ = ("_buffer", "_by_chunk", "_inside")

    def __init__(self) -> None:
        self._buffer = self._by_chunk = self._inside = torch.empty(0)

    def add_up(self, row: torch.Tensor, sums: torch.Tensor) -> None:
        """Write the sums without a shift. row: float32 or float64 tensor (vocab_size,). sums: float32 (num_chunks,)."""
        if len(self._inside) != len(row):
            self._buffer = torch.zeros(num_chunks(row) * CHUNK)
            self._by_chunk, self._inside = self._buffer.view(-1, CHUNK), self._buffer[: len(row)]
        torch.clamp(row, min=LOWEST, out=self._inside).exp_()
        torch.sum(self._by_chunk, 1, out=sums)

    def weigh(self, row: torch.Tensor) -> Weights:
        """The sums of one row, shifted if need be. row: as above."""
        sums = torch.empty(num_chunks(row))
        self.add_up(row, sums)
        total = float(sums.numpy().sum(dtype=np.float64))
        if is_safe(total):
            return Weights(sums.numpy(), total, 0.0)
        highest = float(row.amax())
        if not math.isfinite(highest):
            return Weights(np.zeros(len(sums), dtype=np.float32), 0.0, 0.0)
        # The difference first: float64 logits may lie beyond float32.
        self._inside.copy_(row - highest).clamp_(min=LOWEST).exp_()
        sums = self._by_chunk.sum(1)
        return Weights(sums.numpy(), float(sums.numpy().sum(dtype=np.float64)), highest)


def num_chunks(row: torch.Tensor) -> int:
    """The last one may be short."""
    return -(-len(row) // CHUNK)


def is_safe(total: Any) -> Any:
    """Whether weights of this total need no shift; whatever `LOWEST` stands for is nothing beside them."""
    return (total > 1e-3) & (total < 1e30)
