"""State per logits row, kept in step with the persistent batch: the consumer's side of contract C1, written once."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable
from typing import Generic, TypeAlias, TypeVar

from logitproof.spec import BatchUpdate, MoveDirectionality, SamplingParams

T = TypeVar("T")

MakeState: TypeAlias = Callable[[SamplingParams, list[int] | None, list[int]], T | None]
"""`(params, prompt_token_ids, output_token_ids)` to the row's state, or None if the request needs none."""


class RowStates(Generic[T]):
    """Sparse map from logits row to state; rows of requests that do not use the feature are absent.

    The one place where a removal, a newcomer or a move reaches a row's state, so that no processor can forget a case:
    a newcomer on a live row, a move of an untracked row onto a tracked one, a swap with one side untracked.
    Source: contract C1, C6, A1 to A4.
    """

    __slots__ = ("_states",)

    def __init__(self) -> None:
        self._states: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._states)

    def items(self) -> ItemsView[int, T]:
        """Rows and their states, in no particular order."""
        return self._states.items()

    def update(self, batch_update: BatchUpdate | None, make: MakeState[T]) -> bool:
        """Follow one step; whether any row's state is another one than before.

        make: called once per Add, with the request's live lists, which already hold outputs if the request resumes.
        """
        if batch_update is None:
            return False
        changed = False
        for row in batch_update.removed:
            changed |= self._put(row, None)
        for row, params, prompt_token_ids, output_token_ids in batch_update.added:
            changed |= self._put(row, make(params, prompt_token_ids, output_token_ids))
        if not self._states:
            return changed
        for source, destination, direction in batch_update.moved:
            left, right = self._states.get(source), self._states.get(destination)
            if left is None and right is None:
                continue
            changed = True
            self._put(destination, left)
            self._put(source, right if direction is MoveDirectionality.SWAP else None)
        return changed

    def drop(self, rows: Iterable[int]) -> None:
        """Forget rows, of the request's own accord."""
        for row in rows:
            del self._states[row]

    def _put(self, row: int, state: T | None) -> bool:
        """Set or clear a row; whether that made a difference."""
        if state is None:
            return self._states.pop(row, None) is not None
        self._states[row] = state
        return True
