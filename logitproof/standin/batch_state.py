"""What an engine keeps beside its batch: the builder of updates, and the processors by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from .interface import AddedRequest, BatchUpdate, LogitsProcessor, MovedRequest, RemovedRequest


class BatchUpdateBuilder:
    """Collects what happens to a batch within one step. `removed` is told in descending order."""

    def __init__(
        self,
        removed: list[RemovedRequest] | None = None,
        added: list[AddedRequest] | None = None,
        moved: list[MovedRequest] | None = None,
    ) -> None:
        self._removed = removed or []
        self._was_read = False
        self.added = added or []
        self.moved = moved or []
        self.batch_changed = False

    @property
    def removed(self) -> list[RemovedRequest]:
        """The empty slots; from now on no more may be registered in this step."""
        if not self._was_read:
            self._removed.sort(reverse=True)
            self._was_read = True
        return self._removed

    def removed_append(self, index: int) -> None:
        """A slot became empty. Raises RuntimeError: `removed` has been read in this step."""
        if self._was_read:
            raise RuntimeError(
                f"slot {index} cannot be removed: the removed slots of this step have been read"
            )
        self._removed.append(index)
        self.batch_changed = True

    def has_removed(self) -> bool:
        """Whether a slot is empty."""
        return bool(self._removed)

    def peek_removed(self) -> int | None:
        """The lowest empty slot."""
        return self.removed[-1] if self._removed else None

    def pop_removed(self) -> int | None:
        """The lowest empty slot, which is filled now."""
        return self.removed.pop() if self._removed else None

    def reset(self) -> bool:
        """Forget the step; whether anything had changed."""
        changed = self.batch_changed
        for changes in (self._removed, self.added, self.moved):
            changes.clear()
        self._was_read = self.batch_changed = False
        return changed

    def get_and_reset(self, batch_size: int) -> BatchUpdate | None:
        """The step as one update, or None if nothing happened; then forget it."""
        told = BatchUpdate(batch_size, self._removed, self.added, self.moved)
        self._was_read = self.batch_changed = False
        if not (told.removed or told.added or told.moved):
            return None
        self._removed, self.added, self.moved = [], [], []
        return told


class LogitsProcessors:
    """Processors, those apart that never change an argmax."""

    def __init__(self, logitsprocs: Iterable[LogitsProcessor] | None = None) -> None:
        self.argmax_invariant: list[LogitsProcessor] = []
        self.non_argmax_invariant: list[LogitsProcessor] = []
        for processor in logitsprocs or ():
            invariant = processor.is_argmax_invariant()
            (self.argmax_invariant if invariant else self.non_argmax_invariant).append(processor)

    @property
    def all(self) -> Iterator[LogitsProcessor]:
        """Every processor."""
        return chain(self.argmax_invariant, self.non_argmax_invariant)
