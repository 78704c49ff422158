"""Cells of the logits on an accelerator: index tensors that are uploaded once, and nothing that makes the host wait."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import torch

from .cell_arithmetic import finite_or_before, wide
from .staging import Staging


class AcceleratorCells:
    """See `strategy.Cells`."""

    __slots__ = ("_group", "_highest", "_rows", "_token_ids", "_touched", "_values")

    def __init__(
        self,
        rows: Sequence[int],
        token_ids: Sequence[npt.NDArray[np.int64]],
        values: Sequence[npt.NDArray[np.float64]],
        staging: Staging,
    ) -> None:
        touched = np.array(rows, dtype=np.int64)
        group = np.repeat(np.arange(len(rows)), [len(tokens) for tokens in token_ids])
        joined = np.concatenate(token_ids) if rows else np.empty(0, dtype=np.int64)
        self._highest = int(joined.max()) if len(joined) else -1
        host = (touched[group], joined, touched, group)
        self._rows, self._token_ids, self._touched, self._group = (
            staging.upload(torch.from_numpy(array)) for array in host
        )
        self._values = tuple(staging.upload(torch.from_numpy(value)) for value in values)

    def change(self, logits: torch.Tensor, function: Callable[..., torch.Tensor]) -> None:
        index, values, _ = self._inside(logits.shape[1])
        before = logits[index]
        value = wide(before)
        after = function(value, *(number.to(value.dtype) for number in values))
        logits[index] = finite_or_before(before, after)

    def ban(self, logits: torch.Tensor) -> None:
        index, _, group = self._inside(logits.shape[1])
        before = logits[index]
        logits[index] = -torch.inf
        has_finite = logits[self._touched].isfinite().any(dim=1)
        logits[index] = torch.where(has_finite[group], -torch.inf, before)

    def _inside(
        self, width: int
    ) -> tuple[tuple[torch.Tensor, torch.Tensor], tuple[torch.Tensor, ...], torch.Tensor]:
        """Index, values and groups without the ids that the logits have no column for; only then the host waits."""
        if self._highest < width:
            return (self._rows, self._token_ids), self._values, self._group
        inside = self._token_ids < width
        index = (self._rows[inside], self._token_ids[inside])
        return index, tuple(value[inside] for value in self._values), self._group[inside]
