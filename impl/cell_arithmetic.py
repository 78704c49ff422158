"""The arithmetic of single logits, the same on every device: written once for numpy and torch, whose names agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import torch

CellFunction: TypeAlias = Callable[..., Any]
"""`(xp, logits, *values) -> logits`, where `xp` is numpy or torch and the others are its arrays (num_cells,).

They are float32, or float64 for float64 logits.
"""


def wide(logits: torch.Tensor) -> torch.Tensor:
    """In the dtype that arithmetic is done in: float32, or float64 for float64 logits."""
    return logits.float() if logits.dtype.itemsize == 2 else logits


def wide_dtype(dtype: torch.dtype) -> np.dtype[Any]:
    """That dtype as numpy's, for logits of a dtype."""
    return np.dtype(np.float64 if dtype == torch.float64 else np.float32)


def finite_or_before(xp: Any, before: Any, after: Any, dtype: torch.dtype) -> Any:
    """New logits; infinite and NaN logits stay what they are.

    A finite result too large for the dtype stops at its largest finite value, so that a row which could be sampled
    still can be. xp: numpy or torch. before, after: its arrays (num_cells,), in a dtype at least as wide. Source: D8.
    """
    bounds = torch.finfo(dtype)
    return xp.where(xp.isfinite(before), xp.clip(after, bounds.min, bounds.max), before)
