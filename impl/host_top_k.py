"""Where top-k cuts a row, on a host: one number, found among the columns whose maximum reaches it."""

from __future__ import annotations

import math

import numpy as np
import torch

from .host_weights import Array

SMALL = 4096
"""Below this many logits a plain partition costs no more than the bookkeeping that would avoid it."""
_HEIGHT = 64
"""Logits that share one maximum, `vocab_size // _HEIGHT` apart: in this direction the maxima cost one fast pass."""


def kth_largest(row: torch.Tensor, k: int) -> float:
    """The k-th largest logit, counting repeats: what lies below it is not in the top k.

    row: float32 or float64 tensor (vocab_size,). k: in [1, vocab_size). Returns NaN for a row that has no distribution
    (its highest logit is not finite, or one is NaN), and -inf if fewer than k logits are above -inf.
    """
    values = row.numpy()
    width = len(values) // _HEIGHT
    if len(values) <= SMALL or k > width // 2:
        return _kth(values, k) if math.isfinite(values.max()) else math.nan
    square, rest = values[: width * _HEIGHT].reshape(_HEIGHT, width), values[width * _HEIGHT :]
    maxima = square.max(0)
    if not math.isfinite(np.maximum(maxima.max(), rest.max(initial=-math.inf))):
        return math.nan
    # The k-th largest maximum has k logits at or above it, so the k largest lie in columns that reach it.
    bound = _kth(maxima, k)
    reached = np.flatnonzero(maxima >= bound if bound > -math.inf else maxima > bound)
    candidates = np.concatenate([square[:, reached].ravel(), rest])
    return _kth(candidates, k) if len(candidates) >= k else -math.inf


def _kth(values: Array, k: int) -> float:
    return float(np.partition(values, len(values) - k)[len(values) - k])
