"""Draws one token of a row on a host: first a chunk of columns by its weight, then a column of the chunk."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

from .host_weights import CHUNK, NOTHING, Array, Weigher, in_chunks, survivors

NO_TOKEN = -1


def draw_row(row: torch.Tensor, share: float, weigher: Weigher) -> int:
    """The token at which the row's cumulative probability first exceeds `share`.

    row: float tensor (vocab_size,). share: a multiple of 2**-53 in [0, 1).

    Returns `NO_TOKEN` for a row whose highest logit is not finite. A token of probability 0 is never drawn, and the
    token depends on the row and the number only (contract D4). Weights are float32, sums of chunks float64.
    """
    row = row.float() if row.dtype.itemsize == 2 else row
    alive = survivors(row)
    if alive is not None:
        return _draw_survivor(row, alive, share)
    weights = weigher.weigh(row)
    if weights is None:
        return NO_TOKEN
    cumulative = np.cumsum(weights.sums)
    target = share * cumulative[-1]
    chunk = int(np.searchsorted(cumulative, target, side="right"))
    before = cumulative[chunk - 1] if chunk else 0.0
    # Rounding may put the target past the chunk's own sum.
    inside = min((target - before) / weights.sums[chunk], 1.0 - 2.0**-53)
    begin = chunk * CHUNK
    columns = weights.values[begin : begin + CHUNK]
    return begin + _column(np.where(columns > NOTHING, columns, 0.0), inside)


def _draw_survivor(row: torch.Tensor, alive: npt.NDArray[np.bool_], share: float) -> int:
    """As `draw_row`, where nothing is left outside the chunks that are alive."""
    values = in_chunks(row.numpy(), alive)
    highest = values.max()
    if not np.isfinite(highest):
        return NO_TOKEN
    place = _column(np.exp(values - highest), share)
    # Only the last chunk may be short, so that places count whole chunks.
    return int(np.flatnonzero(alive)[place // CHUNK]) * CHUNK + place % CHUNK


def _column(weights: Array, share: float) -> int:
    """The column that owns `share` of the weights, some of which is positive."""
    cumulative = np.cumsum(weights, dtype=np.float64)
    return int(np.searchsorted(cumulative, share * cumulative[-1], side="right"))
