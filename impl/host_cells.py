"""Cells of the logits in the host's own memory, by few calls of numpy.

After a forward pass no code is in the cache: a call that was not made before costs as much as thousands of cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from .cell_arithmetic import CellFunction, finite_or_before
from .host_rows import highest_of


class HostCells:
    """See `strategy.Cells`."""

    __slots__ = (
        "_begins",
        "_flat",
        "_is_cut",
        "_next",
        "_next_is_free",
        "_rows",
        "_token_ids",
        "_values",
        "_wide_values",
        "_width",
    )

    def __init__(
        self,
        rows: npt.NDArray[np.int64],
        token_ids: npt.NDArray[np.int64],
        values: Sequence[npt.NDArray[Any]] = (),
    ) -> None:
        self._rows, self._token_ids = rows, token_ids
        self._values = self._wide_values = tuple(values)
        self._width = -1
        self._flat = rows
        self._is_cut = False
        self._begins: npt.NDArray[np.int64] | None = None
        self._next: npt.NDArray[np.int64] | None = None
        self._next_is_free = False

    def grow(
        self,
        rows: npt.NDArray[np.int64],
        token_ids: npt.NDArray[np.int64],
        values: Sequence[npt.NDArray[Any]],
    ) -> None:
        known = len(self._flat)
        new = token_ids[known:]
        if self._is_cut or (len(new) and new.max() >= self._width):
            self._width = -1
        elif len(new):
            self._flat = np.concatenate([self._flat, rows[known:] * self._width + new])
            self._next = self._begins = None
        self._rows, self._token_ids = rows, token_ids
        self._values = self._wide_values = tuple(values)

    def change(self, logits: torch.Tensor, function: CellFunction) -> None:
        cells = _numpy_cells(logits)
        self._fit(cells.shape[1])
        _put(cells, self._flat, self._changed(cells.take(self._flat), logits.dtype, function))

    @np.errstate(all="ignore")
    def _changed(
        self, before: npt.NDArray[Any], dtype: torch.dtype, function: CellFunction
    ) -> npt.NDArray[Any]:
        """What the function makes of the cells of logits of a dtype."""
        if self._values and self._values[0].dtype != before.dtype:
            self._values = tuple(value.astype(before.dtype) for value in self._wide_values)
        after: npt.NDArray[Any] = function(np, before, *self._values)
        # Where the sum of squares is finite every result is: none has left the range and none was infinite before.
        if dtype.itemsize == 2 or not math.isfinite(after.dot(after)):
            after = finite_or_before(np, before, after, dtype)
        return after

    def ban(self, logits: torch.Tensor) -> None:
        cells = _numpy_cells(logits)
        self._fit(cells.shape[1])
        if self._next is None:
            self._next = self._after_the_banned()
        # One finite logit that is not banned answers for its row.
        if self._next_is_free and math.isfinite(sum(cells.take(self._next).tolist())):
            _put(cells, self._flat, -math.inf)
            return
        before = cells.take(self._flat)
        _put(cells, self._flat, -math.inf)
        self._restore(logits, before, cells.take(self._next).tolist())

    def keep_only(self, logits: torch.Tensor) -> None:
        cells = _numpy_cells(logits)
        self._fit(cells.shape[1])
        begins = self._begins_of_rows()
        kept = cells.take(self._flat)
        rows = self._rows.take(begins)
        # One finite logit answers for its row.
        if not math.isfinite(sum(kept.take(begins).tolist())):
            rows = rows[np.logical_or.reduceat(np.isfinite(kept), begins)]
        # To write a row and the kept logits is cheaper than to read a mask.
        for row in rows.tolist():
            cells[row] = -math.inf
        _put(cells, self._flat, kept)

    def _fit(self, width: int) -> None:
        """Make the flat index for logits of a width, and drop the cells that they have no column for."""
        if width == self._width:
            return
        self._width = width
        self._is_cut = False
        if len(self._token_ids) and self._token_ids.max() >= width:
            self._is_cut = True
            inside = self._token_ids < width
            self._rows, self._token_ids = self._rows[inside], self._token_ids[inside]
            self._values = self._wide_values = tuple(value[inside] for value in self._wide_values)
        self._flat = self._rows * width + self._token_ids
        self._next = self._begins = None

    def _begins_of_rows(self) -> npt.NDArray[np.int64]:
        """The place of each row's first cell."""
        if self._begins is None:
            self._begins = np.flatnonzero(np.diff(self._rows, prepend=-1))
        return self._begins

    def _after_the_banned(self) -> npt.NDArray[np.int64]:
        """Of each row the cell after its last banned one, or the first, be it banned or not, if that was the last."""
        begins = self._begins_of_rows()
        if not len(begins):
            return begins
        highest = np.maximum.reduceat(self._token_ids, begins)
        after: npt.NDArray[np.int64] = self._rows[begins] * self._width + (highest + 1) % self._width
        first = after[highest == self._width - 1]
        self._next_is_free = not np.isin(first, self._flat).any()
        return after

    def _restore(self, logits: torch.Tensor, before: npt.NDArray[Any], answers: list[float]) -> None:
        """Give rows that lost their last finite logit to the ban their logits back. Source: contract D8."""
        assert self._next is not None
        had_finite = np.isfinite(before)
        for row, answer in zip((self._next // self._width).tolist(), answers, strict=True):
            if math.isfinite(answer):
                continue
            own = self._rows == row
            if had_finite[own].any() and not _has_finite(logits[row]):
                _numpy_cells(logits).put(self._flat[own], before[own])


def _has_finite(row: torch.Tensor) -> bool:
    highest = highest_of(row)
    if math.isfinite(highest) or highest == -math.inf:
        return highest > -math.inf
    return bool(row.isfinite().any())


def _put(cells: Any, flat: npt.NDArray[np.int64], values: Any) -> None:
    """As `cells.put`, which takes twice as long as an assignment to a view."""
    if isinstance(cells, np.ndarray) and cells.flags.c_contiguous:
        cells.reshape(-1)[flat] = values
    else:
        cells.put(flat, values)


def _numpy_cells(logits: torch.Tensor) -> Any:
    """The logits with numpy's `shape`, `take` and `put`, which see them as one row, and row assignment."""
    return _HalfCells(logits) if logits.dtype.itemsize == 2 else logits.numpy()


class _HalfCells:
    """Logits of two bytes, not all of which numpy knows: what is taken is float32, what is put is rounded."""

    __slots__ = ("_logits", "shape")

    def __init__(self, logits: torch.Tensor) -> None:
        self._logits = logits
        self.shape = logits.shape

    def take(self, flat: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        taken: npt.NDArray[np.float32] = self._logits.take(torch.from_numpy(flat)).float().numpy()
        return taken

    def put(self, flat: npt.NDArray[np.int64], values: Any) -> None:
        values = np.broadcast_to(values, len(flat)).astype(np.float32)
        self._logits.put_(torch.from_numpy(flat), torch.from_numpy(values).to(self._logits.dtype))

    def __setitem__(self, row: int, value: float) -> None:
        self._logits[row] = value
