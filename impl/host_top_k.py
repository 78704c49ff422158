"""Where top-k cuts a row, on a host: one number, found among the chunks whose maximum reaches it."""

from __future__ import annotations

import math

import numpy as np
import torch

from .host_weights import CHUNK, Array, chunk_maxima, in_chunks

SMALL = 4096
"""Below this many columns a plain partition costs no more than the bookkeeping that would avoid it."""


def kth_largest(row: torch.Tensor, k: int) -> float:
    """The k-th largest logit, counting repeats: what lies below it is not in the top k.

    row: float32 or float64 tensor (vocab_size,). k: in [1, vocab_size). Returns NaN for a row that has no distribution
    (its highest logit is not finite, or one is NaN), and -inf if fewer than k logits are above -inf.
    """
    values = row.numpy()
    if len(values) <= SMALL or k > len(values) // CHUNK // 2:
        return _kth(values, k) if math.isfinite(values.max()) else math.nan
    maxima = chunk_maxima(row)
    if not math.isfinite(maxima.max()):
        return math.nan
    # The k-th largest maximum has k logits at or above it, so the k largest lie in chunks that reach it.
    bound = _kth(maxima, k)
    candidates = in_chunks(values, maxima >= bound if bound > -math.inf else maxima > bound)
    return _kth(candidates, k) if len(candidates) >= k else -math.inf


def _kth(values: Array, k: int) -> float:
    return float(np.partition(values, len(values) - k)[len(values) - k])
