"""The cells of all requests that count tokens: joined once, then kept up to date for the price of what changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .token_counts import TokenCounts

_ROOM = 256
"""New cells until the arrays have to grow."""


class _Request:
    """One request and where its cells are: the first `joined` from `start` on, the later ones in `later`."""

    __slots__ = ("counts", "joined", "later", "number", "row", "start")

    def __init__(self, row: int, number: float, counts: TokenCounts, start: int) -> None:
        self.row, self.number, self.counts, self.start = row, number, counts, start
        self.joined = len(counts.token_ids)
        self.later: list[int] = []


class GrowingCells:
    """For every token of every request its row, id and count, and a number of the request.

    requests: row, number and counts of each; at least one. A token that a request says for the first time goes to the
    end of the arrays.
    """

    __slots__ = ("_counts", "_numbers", "_requests", "_rows", "_size", "_token_ids")

    def __init__(self, requests: Sequence[tuple[int, float, TokenCounts]]) -> None:
        self._requests: list[_Request] = []
        self._size = 0
        for row, number, counts in requests:
            counts.follow()
            self._requests.append(_Request(row, number, counts, self._size))
            self._size += self._requests[-1].joined
        rows, numbers, all_counts = zip(*requests, strict=True)
        lengths = [request.joined for request in self._requests]
        self._rows = _with_room([np.repeat(np.array(rows, dtype=np.int64), lengths)])
        self._numbers = _with_room([np.repeat(np.array(numbers, dtype=np.float64), lengths)])
        self._token_ids = _with_room([counts.token_ids for counts in all_counts])
        self._counts = _with_room([counts.counts for counts in all_counts])

    def follow(self) -> bool:
        """Catch up with the live lists; whether any cell changed."""
        changed = False
        for request in self._requests:
            for cell in request.counts.follow():
                self._counts[self._place(request, cell)] = request.counts.counts[cell]
                changed = True
        return changed

    @property
    def index(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Rows and token ids: views (num_cells,) that the next `follow` may write into."""
        return self._rows[: self._size], self._token_ids[: self._size]

    @property
    def values(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Counts and numbers: views (num_cells,) as those of `index`."""
        return self._counts[: self._size], self._numbers[: self._size]

    def _place(self, request: _Request, cell: int) -> int:
        later = cell - request.joined
        if later < 0:
            return request.start + cell
        if later == len(request.later):
            request.later.append(self._append(request, cell))
        return request.later[later]

    def _append(self, request: _Request, cell: int) -> int:
        place = self._size
        if place == len(self._rows):
            self._rows, self._token_ids, self._counts, self._numbers = (
                _with_room([array], len(array))
                for array in (self._rows, self._token_ids, self._counts, self._numbers)
            )
        self._rows[place] = request.row
        self._token_ids[place] = request.counts.token_ids[cell]
        self._numbers[place] = request.number
        self._size += 1
        return place


def _with_room(pieces: Sequence[npt.NDArray[Any]], room: int = _ROOM) -> npt.NDArray[Any]:
    return np.concatenate([*pieces, np.zeros(room, dtype=pieces[0].dtype)])
