"""Cells of the logits on an accelerator: index tensors that are uploaded once, and nothing that makes the host wait."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from .cell_arithmetic import CellFunction, finite_or_before, wide
from .staging import Staging


class AcceleratorCells:
    """See `strategy.Cells`."""

    __slots__ = ("_group", "_highest", "_rows", "_staging", "_token_ids", "_touched", "_values")

    def __init__(
        self,
        rows: npt.NDArray[np.int64],
        token_ids: npt.NDArray[np.int64],
        values: Sequence[npt.NDArray[Any]],
        staging: Staging,
    ) -> None:
        self._staging = staging
        self.grow(rows, token_ids, values)

    def grow(
        self,
        rows: npt.NDArray[np.int64],
        token_ids: npt.NDArray[np.int64],
        values: Sequence[npt.NDArray[Any]],
    ) -> None:
        touched, group = np.unique(rows, return_inverse=True)
        self._highest = int(token_ids.max()) if len(token_ids) else -1
        # The caller may go on writing into its arrays.
        self._rows, self._token_ids, self._touched, self._group, *uploaded = (
            self._staging.upload(torch.tensor(array)) for array in (rows, token_ids, touched, group, *values)
        )
        self._values = tuple(uploaded)

    def change(self, logits: torch.Tensor, function: CellFunction) -> None:
        index, values, _ = self._inside(logits.shape[1])
        before = wide(logits[index])
        after = function(torch, before, *(number.to(before.dtype) for number in values))
        logits[index] = finite_or_before(torch, before, after, logits.dtype).to(logits.dtype)

    def ban(self, logits: torch.Tensor) -> None:
        index, _, group = self._inside(logits.shape[1])
        before = logits[index]
        logits[index] = -torch.inf
        has_finite = logits[self._touched].isfinite().any(dim=1)
        logits[index] = torch.where(has_finite[group], -torch.inf, before)

    def keep_only(self, logits: torch.Tensor) -> None:
        index, _, group = self._inside(logits.shape[1])
        kept = logits[index]
        finite = torch.zeros(len(self._touched), dtype=torch.int64, device=logits.device)
        has_finite = finite.index_add(0, group, kept.isfinite().long()) > 0
        rows = logits[self._touched]
        logits[self._touched] = rows.masked_fill(has_finite.unsqueeze(1), -torch.inf)
        logits[index] = kept

    def _inside(
        self, width: int
    ) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, ...], torch.Tensor]:
        """Index, values and groups without the ids that the logits have no column for; only then the host waits."""
        if self._highest < width:
            return (self._rows, self._token_ids), self._values, self._group
        inside = self._token_ids < width
        index = (self._rows[inside], self._token_ids[inside])
        return index, tuple(value[inside] for value in self._values), self._group[inside]
