"""Could an engine say so? The proven model takes the step that an update tells of and words it in each dialect."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from logitproof.model import step
from logitproof.spec import Dialect, MoveDirectionality

from .recording import Update

ONE_WAY = "UNIDIRECTIONAL"


@dataclass(frozen=True, slots=True)
class Told:
    """An update without its requests: equal ones are judged once. added: indices in listed order."""

    batch_size: int
    removed: tuple[int, ...]
    added: tuple[int, ...]
    moved: tuple[tuple[int, int, str], ...]

    @classmethod
    def of(cls, update: Update) -> Told:
        """What an update says about slots."""
        added = tuple(entry.index for entry in update.added)
        return cls(update.batch_size, update.removed, added, update.moved)

    def finished(self, size: int) -> set[int]:
        """The slots of a batch of `size` whose requests have left: removed, refilled, or overwritten by a move."""
        filled = {index for index in self.added if index < size}
        overwritten = {to for _, to, how in self.moved if how == ONE_WAY and to < size}
        return {*self.removed, *filled, *overwritten}


@lru_cache(maxsize=1 << 14)
def legal_dialects(size: int, told: Told) -> frozenset[Dialect]:
    """The dialects in which this is the update of some step on a batch of `size` requests. Source: B1 to B9."""
    swaps = [(source, to) for source, to, how in told.moved if how != ONE_WAY]
    legal = set()
    for dialect in Dialect:
        try:
            newcomers = range(size, size + len(told.added))
            update = step(range(size), told.finished(size), newcomers, swaps, dialect).update
        except ValueError:
            return frozenset()
        if update is None:
            continue
        moved = tuple((source, to, how.name) for source, to, how in update.moved)
        same = (
            update.batch_size == told.batch_size
            and len(set(told.removed)) == len(told.removed)
            and update.removed == sorted(told.removed)
            and tuple(index for index, _ in update.added) == told.added
            and moved == told.moved
        )
        if same:
            legal.add(dialect)
    return frozenset(legal)


@lru_cache(maxsize=1 << 14)
def expected_moves(size: int, told: Told) -> str | None:
    """The condense moves that the model makes for the same finished slots, as text; None if it cannot take the step."""
    try:
        update = step(range(size), told.finished(size), range(size, size + len(told.added))).update
    except ValueError:
        return None
    moves = (
        []
        if update is None
        else [(s, d) for s, d, how in update.moved if how is MoveDirectionality.UNIDIRECTIONAL]
    )
    return ", ".join(f"{source}->{destination}" for source, destination in moves) or "no move"
