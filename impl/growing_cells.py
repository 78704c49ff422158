"""The cells of all requests that count tokens: joined once, then kept up to date for the price of what changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .token_counts import TokenCounts

Floats: TypeAlias = npt.NDArray[Any]
"""A float array (num_cells,), in the dtype that arithmetic is done in."""
Amounts: TypeAlias = Callable[[Floats, Floats], tuple[Floats, ...]]
"""From counts and a number of each cell's request to what the cell's value is made of."""
_ROOM = 256
"""New cells until the arrays have to grow."""


class _Request:
    """One request and where its cells are: the first `joined` from `start` on, the later ones in `later`."""

    __slots__ = ("counts", "joined", "later", "number", "row", "start")

    def __init__(self, row: int, number: float, counts: TokenCounts, start: int) -> None:
        self.row, self.number, self.counts, self.start = row, number, counts, start
        self.joined = len(counts.token_ids)
        self.later: list[int] = []

    def place(self, cell: int) -> int:
        """Where a cell is in the joined arrays."""
        return self.start + cell if cell < self.joined else self.later[cell - self.joined]


class GrowingCells:
    """For every token of every request its row and id, and the amounts that follow from its count.

    requests: row, number and counts of each; at least one. A token that a request says for the first time goes to the
    end of the arrays.
    """

    __slots__ = ("_amounts", "_requests", "_rows", "_size", "_token_ids", "_values", "dtype")

    def __init__(
        self, requests: Sequence[tuple[int, float, TokenCounts]], amounts: Amounts, dtype: np.dtype[Any]
    ) -> None:
        self._requests: list[_Request] = []
        self._amounts, self.dtype = amounts, dtype
        self._size = 0
        rows, given, all_counts = zip(*requests, strict=True)
        numbers = np.array(given, dtype=dtype)
        for row, number, counts in zip(rows, numbers.tolist(), all_counts, strict=True):
            counts.follow()
            self._requests.append(_Request(row, number, counts, self._size))
            self._size += self._requests[-1].joined
        lengths = [request.joined for request in self._requests]
        self._rows = _with_room(np.repeat(np.array(rows, dtype=np.int64), lengths))
        self._token_ids = _with_room(np.concatenate([counts.token_ids for counts in all_counts]))
        occurrences = np.concatenate([counts.counts for counts in all_counts]).astype(dtype)
        values = amounts(occurrences, np.repeat(numbers, lengths))
        self._values = tuple(map(_with_room, values))

    def follow(self) -> bool:
        """Catch up with the live lists; whether any cell changed."""
        places: list[int] = []
        counts: list[float] = []
        numbers: list[float] = []
        for request in self._requests:
            for cell in request.counts.follow():
                if cell == request.joined + len(request.later):
                    request.later.append(self._append(request.row, int(request.counts.token_ids[cell])))
                places.append(request.place(cell))
                counts.append(request.counts.counts[cell])
                numbers.append(request.number)
        if not places:
            return False
        changed = self._amounts(np.array(counts, dtype=self.dtype), np.array(numbers, dtype=self.dtype))
        for values, new in zip(self._values, changed, strict=True):
            values[places] = new
        return True

    @property
    def index(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Rows and token ids: views (num_cells,) that the next `follow` may write into."""
        return self._rows[: self._size], self._token_ids[: self._size]

    @property
    def values(self) -> tuple[Floats, ...]:
        """The amounts: views (num_cells,) as those of `index`."""
        return tuple(values[: self._size] for values in self._values)

    def _append(self, row: int, token_id: int) -> int:
        place = self._size
        if place == len(self._rows):
            self._rows, self._token_ids, *values = (
                _with_room(array, len(array)) for array in (self._rows, self._token_ids, *self._values)
            )
            self._values = tuple(values)
        self._rows[place] = row
        self._token_ids[place] = token_id
        self._size += 1
        return place


def _with_room(array: npt.NDArray[Any], room: int = _ROOM) -> npt.NDArray[Any]:
    return np.concatenate([array, np.zeros(room, dtype=array.dtype)])
