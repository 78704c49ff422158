"""Draws a token per row on a host: first a chunk of columns by its weight, then a column of the chunk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from .host_weights import CHUNK, LIGHT, LOWEST, NOTHING, Array, Weigher, is_safe, num_chunks

NO_TOKEN = -1


def draw_rows(logits: torch.Tensor, rows: list[int], shares: Array, weigher: Weigher) -> Array:
    """For each row the token at which its cumulative probability first exceeds its share: int64 (num_rows,).

    logits: float32 or float64 tensor (num_requests, vocab_size). shares: float64 (num_rows,), multiples of 2**-53 in
    [0, 1).

    `NO_TOKEN` for a row whose highest logit is not finite. A token of probability 0 is never drawn, and the token
    depends on the row and the number only (contract D4). Weights are float32, sums of chunks float64.
    """
    sums, shifts = _weighed(logits.unbind(), rows, weigher)
    drawable = sums.max(1) > 0
    chunk, inside = _owner(sums, shares)
    columns = chunk[:, None] * CHUNK + np.arange(CHUNK)
    width = logits.shape[1]
    within = np.minimum(columns, width - 1)
    # Only these are needed one by one, so that none was kept.
    chosen = logits.numpy()[np.array(rows)[:, None], within]
    with np.errstate(over="ignore"):
        own = np.exp(np.maximum(chosen - shifts[:, None], LOWEST).astype(np.float32))
    own[(own <= NOTHING) | (columns >= width) | ~drawable[:, None]] = 0.0
    column, _ = _owner(own, inside)
    return np.where(drawable, chunk * CHUNK + column, NO_TOKEN)


def _weighed(views: Sequence[torch.Tensor], rows: list[int], weigher: Weigher) -> tuple[Array, Array]:
    """Sums by chunk, float64 (num_rows, num_chunks), all 0 for rows without a finite highest logit; and the shifts."""
    narrow = torch.empty(len(rows), num_chunks(views[0]))
    for row, out in zip(rows, narrow.unbind(), strict=True):
        weigher.add_up(views[row], out)
    sums: Array = narrow.numpy().astype(np.float64)
    shifts = np.zeros(len(rows))
    for place in np.flatnonzero(~is_safe(sums.sum(1))):
        weights = weigher.weigh(views[rows[place]])
        sums[place], shifts[place] = weights.sums, weights.shift
    sums[sums < LIGHT] = 0.0
    return sums, shifts


def _owner(weights: Array, shares: Array) -> tuple[Array, Array]:
    """In each row the place that owns its share of the weights, and at which share of that place.

    weights: (num_rows, num_places), some positive in each row; rows of which none is give any place.
    """
    rows = np.arange(len(weights))
    cumulative = np.cumsum(weights, axis=1, dtype=np.float64)
    target = shares * cumulative[:, -1]
    owner = np.minimum((cumulative <= target[:, None]).sum(1), weights.shape[1] - 1)
    own = weights[rows, owner]
    into = target - (cumulative[rows, owner] - own)
    # Rounding may put the target before or past the place.
    return owner, np.clip(into / np.where(own > 0, own, 1.0), 0.0, 1.0 - 2.0**-53)
