"""The one place that decides, by device, how rows are read and written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch

from .accelerator_cells import AcceleratorCells
from .accelerator_rows import AcceleratorRows
from .cell_arithmetic import CellFunction
from .host_cells import HostCells
from .host_rows import HostRows
from .row_values import RowValues
from .staging import Staging

_NONE = np.empty(0, dtype=np.int64)


class Cells(Protocol):
    """Some cells (row, token) of the logits, several to a row; ids that the logits have no column for are ignored."""

    def change(self, logits: torch.Tensor, function: CellFunction) -> None:
        """Put `function(xp, logits, *values)` into the cells, in place; see `cell_arithmetic` for the rounding."""

    def grow(
        self,
        rows: npt.NDArray[np.int64],
        token_ids: npt.NDArray[np.int64],
        values: Sequence[npt.NDArray[Any]],
    ) -> None:
        """The same cells with other values, and perhaps more cells after them: arrays as those of `cells_for`."""

    def ban(self, logits: torch.Tensor) -> None:
        """Set the cells to -inf, in place, except in rows that would lose their last finite logit. Source: D8."""

    def keep_only(self, logits: torch.Tensor) -> None:
        """Set the other cells of the cells' rows to -inf, in place, except in rows that would keep no finite logit."""


class Strategy(Protocol):
    """What a device must be able to do with some rows of the logits, float tensor (num_requests, vocab_size).

    On a host a value can be read back for nothing and a row fits its cache: work goes row by row, and rows that are not
    named cost nothing. On an accelerator reading back makes the host wait, so that work goes by few dense kernels.
    """

    def divide(self, logits: torch.Tensor, temperatures: RowValues) -> None:
        """Divide rows in place, without losing a row to overflow."""

    def cut_min_p(self, logits: torch.Tensor, log_min_p: RowValues) -> None:
        """Drop, in place, what lies below the highest logit plus a number."""

    def cut_top_k(self, logits: torch.Tensor, top_k: RowValues) -> None:
        """Drop, in place, what lies below the k-th largest logit."""

    def cut_top_p(self, logits: torch.Tensor, top_p: RowValues) -> None:
        """Drop, in place, what lies below the nucleus."""

    def argmax(self, logits: torch.Tensor, rows: list[int]) -> torch.Tensor:
        """The lowest id of the highest logit: int64 (num_rows,); -1 where that logit is not finite."""

    def draw(self, logits: torch.Tensor, rows: list[int], uniform: torch.Tensor) -> torch.Tensor:
        """A token by inverse distribution: int64 (num_rows,); -1 where the highest logit is not finite.

        uniform: float64 (num_rows,), multiples of 2**-53 in [0, 1).
        """


def cells_for(
    staging: Staging,
    rows: npt.NDArray[np.int64] = _NONE,
    token_ids: npt.NDArray[np.int64] = _NONE,
    values: Sequence[npt.NDArray[Any]] = (),
) -> Cells:
    """Cells on the device of `staging`; arrays (num_cells,), each cell once, values of any float dtype.

    `ban` and `keep_only` need the cells of a row one after the other.
    """
    if staging.is_on_host:
        return HostCells(rows, token_ids, values)
    return AcceleratorCells(rows, token_ids, values, staging)


def join_cells(
    pieces: Collection[tuple[int, npt.NDArray[np.int64]]],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Rows and token ids of all cells, from pairs of a row and its token ids; int64 arrays (num_cells,)."""
    rows, token_ids = zip(*pieces, strict=True) if pieces else ((), ())
    lengths = [len(piece) for piece in token_ids]
    return np.repeat(np.array(rows, dtype=np.int64), lengths), np.concatenate([_NONE, *token_ids])


def strategy_for(device: torch.device) -> Strategy:
    """The way to work on a device."""
    return HostRows() if torch.device(device).type == "cpu" else AcceleratorRows()
