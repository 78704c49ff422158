"""How far two rows may lie apart before an oracle speaks: exclusions as data, each with its reason."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Relative and absolute distance of two finite logits that counts as none."""

    relative: float
    absolute: float
    reason: str


SOLO: dict[torch.dtype, Tolerance] = {
    torch.float64: Tolerance(
        0, 1e-12, "a kernel may sum a row in another order when the batch has another size"
    ),
    torch.float32: Tolerance(0, 2e-6, "as for float64: a few units in the last place of a logit below 8"),
    torch.float16: Tolerance(0, 8e-3, "as for float64: one unit in the last place of a logit below 8"),
    torch.bfloat16: Tolerance(0, 6e-2, "as for float64: one unit in the last place of a logit below 8"),
}
"""Batch against solo run, and batch against rebuild: both are the target's own arithmetic."""

REFERENCE: dict[torch.dtype, Tolerance] = {
    torch.float64: Tolerance(1e-12, 1e-12, "the reference is float64 too, in another order of operations"),
    torch.float32: Tolerance(1e-5, 1e-5, "the reference is float64, the target rounds after every operation"),
    torch.float16: Tolerance(2e-3, 8e-3, "eleven bits of mantissa"),
    torch.bfloat16: Tolerance(2e-2, 6e-2, "eight bits of mantissa"),
}
"""Batch against the reference row."""


def differing_rows(
    left: torch.Tensor, right: torch.Tensor, tolerances: dict[torch.dtype, Tolerance]
) -> list[int]:
    """Rows that differ beyond tolerance. NaN equals NaN. float tensors (num_requests, vocab)."""
    if torch.equal(left, right):
        return []
    limit = tolerances[left.dtype]
    close = torch.isclose(left.double(), right.double(), limit.relative, limit.absolute, equal_nan=True)
    rows: list[int] = (~close).any(dim=1).nonzero().flatten().tolist()
    return rows


def excused(
    exact: Callable[[list[float]], list[float]], row: list[float], actual: list[float], limit: Tolerance
) -> bool:
    """Whether `actual` is the exact answer for a row within tolerance of `row`.

    A logit on a cutoff may fall either way. exact: the reference as a function of the row. Only called for rows that
    differ, so that its cost does not matter.
    """
    wanted = exact(row)
    for token, (logit, value) in enumerate(zip(row, actual, strict=True)):
        if _close(wanted[token], value, limit):
            continue
        if not math.isfinite(logit):
            return False
        shift = limit.absolute + limit.relative * abs(logit)
        nearby = (exact([*row[:token], logit + sign * shift, *row[token + 1 :]])[token] for sign in (-1, 1))
        if not any(_close(answer, value, limit) for answer in nearby):
            return False
    return True


def _close(left: float, right: float, limit: Tolerance) -> bool:
    if left == right or (math.isnan(left) and math.isnan(right)):
        return True
    if math.isinf(left) or math.isinf(right):
        return False  # an infinite distance is not below an infinite tolerance
    return abs(left - right) <= 2 * (limit.absolute + limit.relative * abs(right))
