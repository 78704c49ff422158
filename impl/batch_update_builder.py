"""Collects what one step did to the batch and words it as a `BatchUpdate` in a given dialect."""

from __future__ import annotations

from bisect import bisect_left

from logitproof.spec import AddedRequest, BatchUpdate, Dialect, MoveDirectionality, MovedRequest

from .request import Request

_ONE_WAY = MoveDirectionality.UNIDIRECTIONAL
_SWAP = MoveDirectionality.SWAP
_ELIDED = Dialect.ELIDED
_REDUNDANT = Dialect.REDUNDANT


class BatchUpdateBuilder:
    """Records a step in the order finish, add, move, swap; `build` hands the record out and starts the next one.

    The caller follows laws B1 to B4: `finish` once with every finished slot ascending, then Adds that refill the
    lowest of them before any goes past the end, then condense moves, then swaps. Which finished slots end up in
    `removed` is the only thing the dialects disagree about, so it is decided here and nowhere else.
    """

    __slots__ = ("_added", "_dialect", "_finished", "_moved")

    def __init__(self, dialect: Dialect = Dialect.DOCUMENTED) -> None:
        self._dialect = dialect
        self._finished: list[int] = []
        self._added: list[AddedRequest] = []
        self._moved: list[MovedRequest] = []

    def finish(self, slots: list[int]) -> None:
        """Note the slots whose requests have finished: ascending, distinct, valid before any Add."""
        self._finished = slots

    def add(self, slot: int, request: Request) -> None:
        """Note that `request` takes `slot`, an index valid before any Move. Source: contract A2, C5."""
        self._added.append((slot, request.params, request.prompt_token_ids, request.output_token_ids))

    def move(self, source: int, destination: int) -> None:
        """Note a condense move. Source: contract A3, B4."""
        self._moved.append((source, destination, _ONE_WAY))

    def swap(self, left: int, right: int) -> None:
        """Note a reorder of the attention backend. Source: contract A4, B6."""
        self._moved.append((left, right, _SWAP))

    def build(self, batch_size: int) -> BatchUpdate | None:
        """The step's update, or None when nothing changed (contract B7); the lists in it are never touched again.

        batch_size: live requests once the step is complete.
        """
        finished, added, moved = self._finished, self._added, self._moved
        if not (finished or added or moved):
            return None
        self._finished, self._added, self._moved = [], [], []
        return BatchUpdate(batch_size, self._removed(finished, len(added), batch_size), added, moved)

    def _removed(self, finished: list[int], num_added: int, batch_size: int) -> list[int]:
        if self._dialect is _REDUNDANT:
            return finished
        not_refilled = finished[num_added:]
        if self._dialect is _ELIDED:
            # Condense fills every hole below the final size, so those from it on are the ones that stayed empty.
            return not_refilled[bisect_left(not_refilled, batch_size) :]
        return not_refilled
