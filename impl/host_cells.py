"""Cells of the logits in the host's own memory: built with numpy, read and written through one flat index."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
import torch

from .cell_arithmetic import finite_or_before, wide

_PROBED_COLUMNS = 256
"""Enough columns that a row with an ordinary logit shows one of them, few enough to cost nothing."""


class HostCells:
    """See `strategy.Cells`."""

    __slots__ = (
        "_doubles",
        "_flat",
        "_group",
        "_highest",
        "_rows",
        "_spared",
        "_token_ids",
        "_touched",
        "_values",
        "_width",
    )

    def __init__(
        self,
        rows: Sequence[int],
        token_ids: Sequence[npt.NDArray[np.int64]],
        values: Sequence[npt.NDArray[np.float64]] = (),
    ) -> None:
        lengths = [len(tokens) for tokens in token_ids]
        self._touched = np.array(rows, dtype=np.int64)
        self._group = np.repeat(np.arange(len(rows)), lengths)
        self._rows = self._touched[self._group]
        self._token_ids = np.concatenate(token_ids) if rows else np.empty(0, dtype=np.int64)
        self._highest = int(self._token_ids.max()) if len(self._token_ids) else -1
        self._doubles = self._values = tuple(torch.from_numpy(value) for value in values)
        self._width = -1
        self._flat = torch.empty(0, dtype=torch.int64)
        self._spared: torch.Tensor | None = None

    def change(self, logits: torch.Tensor, function: Callable[..., torch.Tensor]) -> None:
        flat = self._flattened(logits)
        before = flat.index_select(0, self._flat)
        value = wide(before)
        after = function(value, *self._values_in(value.dtype))
        # Where every result is finite, none has left the range and none was infinite before.
        plain = after.dtype == before.dtype and bool(np.isfinite(after.numpy()).all())
        self._write(logits, flat, after if plain else finite_or_before(before, after))

    def ban(self, logits: torch.Tensor) -> None:
        flat = self._flattened(logits)
        if self._spared is None:
            self._spared = torch.from_numpy(self._touched * self._width + self._spared_columns())
        before = flat.index_select(0, self._flat)
        if logits.is_contiguous():
            flat.index_fill_(0, self._flat, -math.inf)
        else:
            logits[self._rows, self._token_ids] = -math.inf
        # One finite logit that is not banned answers for its row.
        spared = wide(logits.reshape(-1).index_select(0, self._spared))
        if not bool(np.isfinite(spared.numpy()).all()):
            self._restore(logits, before)

    def _spared_columns(self) -> npt.NDArray[np.int64]:
        """For each touched row its first column that is not banned; a banned one of a row that is banned whole."""
        columns = np.zeros(len(self._touched), dtype=np.int64)
        for place in range(len(columns)):
            banned = set(self._token_ids[self._group == place].tolist())
            columns[place] = next((c for c in range(self._width) if c not in banned), 0)
        return columns

    def _values_in(self, dtype: torch.dtype) -> tuple[torch.Tensor, ...]:
        if self._values and self._values[0].dtype != dtype:
            self._values = tuple(value.to(dtype) for value in self._doubles)
        return self._values

    def _flattened(self, logits: torch.Tensor) -> torch.Tensor:
        """The logits as one row, with the flat index made for their width; a copy if they are not contiguous."""
        if logits.shape[1] != self._width:
            self._width = logits.shape[1]
            if self._highest >= self._width:
                inside = self._token_ids < self._width
                self._rows, self._token_ids, self._group = (
                    array[inside] for array in (self._rows, self._token_ids, self._group)
                )
                self._doubles = self._values = tuple(v[torch.from_numpy(inside)] for v in self._doubles)
            self._flat = torch.from_numpy(self._rows * self._width + self._token_ids)
            self._spared = None
        return logits.reshape(-1)

    def _write(self, logits: torch.Tensor, flat: torch.Tensor, values: torch.Tensor) -> None:
        if logits.is_contiguous():
            flat.index_copy_(0, self._flat, values)
        else:
            logits[self._rows, self._token_ids] = values

    def _restore(self, logits: torch.Tensor, before: torch.Tensor) -> None:
        """Give rows that lost their last finite logit to the ban their logits back. Source: contract D8."""
        bare = ~logits[self._touched, :_PROBED_COLUMNS].isfinite().any(dim=1).numpy()
        lost = np.zeros(len(self._touched), dtype=bool)
        lost[self._group[before.isfinite().numpy()]] = True
        for place in np.flatnonzero(bare & lost):
            row = logits[int(self._touched[place])]
            if not bool(row.isfinite().any()):
                own = torch.from_numpy(self._group == place)
                row[torch.from_numpy(self._token_ids)[own]] = before[own]
