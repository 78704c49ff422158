"""One number for each row that uses a feature: on the host as lists, on an accelerator as tensors too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import torch

from .staging import Staging


@dataclass(frozen=True)
class RowValues:
    """Rows and their numbers, in one order: lists of the same length, known without asking the device."""

    rows: list[int]
    values: list[float]
    staging: Staging

    @cached_property
    def device_rows(self) -> torch.Tensor:
        """The rows on the device: int64 tensor (num_rows,)."""
        return self.staging.upload(torch.tensor(self.rows, dtype=torch.int64))

    @cached_property
    def device_values(self) -> torch.Tensor:
        """The numbers on the device: float64 tensor (num_rows,)."""
        return self.staging.upload(torch.tensor(self.values, dtype=torch.float64))


def row_values(pairs: Iterable[tuple[int, float]], staging: Staging) -> RowValues:
    """From pairs of row and number; on an accelerator already uploaded, so that `apply` need not."""
    rows, values = [], []
    for row, value in pairs:
        rows.append(row)
        values.append(value)
    numbers = RowValues(rows, values, staging)
    if not staging.is_on_host:
        _ = numbers.device_rows, numbers.device_values
    return numbers
