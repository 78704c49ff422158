"""The arithmetic of single logits, the same on every device."""

from __future__ import annotations

import torch


def wide(logits: torch.Tensor) -> torch.Tensor:
    """In the dtype that arithmetic is done in: float32, or float64 for float64 logits."""
    return logits.float() if logits.dtype.itemsize == 2 else logits


def finite_or_before(before: torch.Tensor, after: torch.Tensor) -> torch.Tensor:
    """New logits rounded once to the dtype of the old ones; infinite and NaN logits stay what they are.

    A finite result too large for the dtype stops at its largest finite value, so that a row which could be sampled
    still can be. before: float tensor (num_cells,). after: the same, in a wider dtype or the same. Source: contract D8.
    """
    bounds = torch.finfo(before.dtype)
    return torch.where(before.isfinite(), after.clamp(bounds.min, bounds.max).to(before.dtype), before)
