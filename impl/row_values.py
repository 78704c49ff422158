"""One number for each row that uses a feature: on the host as lists, on the device as tensors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch

from .staging import Staging


@dataclass(frozen=True, slots=True)
class RowValues:
    """Rows and their numbers, in one order; the host's copies are known without asking the device.

    rows, values: lists of the same length. device_rows: int64 tensor (num_rows,). device_values: float64 (num_rows,).
    """

    rows: list[int]
    values: list[float]
    device_rows: torch.Tensor
    device_values: torch.Tensor


def row_values(pairs: Iterable[tuple[int, float]], staging: Staging) -> RowValues:
    """From pairs of row and number."""
    rows, values = [], []
    for row, value in pairs:
        rows.append(row)
        values.append(value)
    return RowValues(
        rows,
        values,
        staging.upload(torch.tensor(rows, dtype=torch.int64)),
        staging.upload(torch.tensor(values, dtype=torch.float64)),
    )
