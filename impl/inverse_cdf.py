"""Draws one token per row by inverting the cumulative distribution."""

from __future__ import annotations

import torch

# A block's float64 cumulative sums at a vocabulary of 128k stay near the size of a last-level cache.
_ROWS_PER_BLOCK = 16


def draw_tokens(logits: torch.Tensor, uniform: torch.Tensor) -> torch.Tensor:
    """The token at which each row's cumulative probability first exceeds the row's uniform number.

    logits: float tensor (num_rows, vocab_size); the highest logit of each row is finite.
    uniform: float64 tensor (num_rows,), multiples of 2**-53 in [0, 1).

    Returns an int64 tensor (num_rows,). A token of probability 0 is never drawn, and a row's token depends on that
    row and its number only. The weights are float32 and their sums float64: float32 sums lose the tail of a large
    vocabulary.
    """
    tokens = [
        _draw_block(block, numbers)
        for block, numbers in zip(logits.split(_ROWS_PER_BLOCK), uniform.split(_ROWS_PER_BLOCK), strict=True)
    ]
    return torch.cat(tokens)


def _draw_block(logits: torch.Tensor, uniform: torch.Tensor) -> torch.Tensor:
    weights = torch.exp(logits.float() - logits.amax(dim=1, keepdim=True).float())
    cumulative = weights.cumsum(dim=1, dtype=torch.float64)
    # u is at most 1 - 2**-53, so u * total stays below total even after rounding, and some sum exceeds it.
    target = uniform.unsqueeze(1) * cumulative[:, -1:]
    return torch.searchsorted(cumulative, target, right=True).squeeze(1)
