"""The consumer's side: reading an update, in the order of C1, back into a list of slots.

>>> from .step import step
>>> update = step(["A", "B", "C", "D"], finished=["A", "C"], new=["E"], swaps=[(0, 1)]).update
>>> replay(["A", "B", "C", "D"], update)
['B', 'E', 'D']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from logitproof.spec import MoveDirectionality
from logitproof.spec.algebra import EMPTY, NOWHERE

from .batch import Batch, add, move, remove, swap
from .concrete import CONCRETE, TotalMap

if TYPE_CHECKING:
    from .step import Update

Request = TypeVar("Request")


class Phase(Enum):
    """The three parts of an update."""

    REMOVED = "removed"
    ADDED = "added"
    MOVED = "moved"


C1_ORDER = (Phase.REMOVED, Phase.ADDED, Phase.MOVED)
"""Removed, then added, then moved. Source: contract C1."""


def replay(
    slots: Sequence[Request | None], update: Update[Request] | None, order: Iterable[Phase] = C1_ORDER
) -> list[Request | None]:
    """The slots after an update, without empty ones at the end. Reads the phases in `order` (C1 unless told)."""
    if update is None:
        return list(slots)
    names = [*slots, *(request for _, request in update.added)]
    batch = Batch(
        slots=TotalMap.of((EMPTY if request is None else slot for slot, request in enumerate(slots)), EMPTY),
        where=TotalMap.of(
            (NOWHERE if request is None else slot for slot, request in enumerate(slots)), NOWHERE
        ),
        size=len(slots),
    )
    for phase in order:
        batch = _read(phase, batch, update, len(slots))
    numbers = batch.slots.listed(1 + max(batch.slots.cells, default=-1))
    while numbers and numbers[-1] == EMPTY:
        numbers.pop()
    return [None if number == EMPTY else names[number] for number in numbers]


def _read(phase: Phase, batch: Batch, update: Update[Request], first_newcomer: int) -> Batch:
    match phase:
        case Phase.REMOVED:
            for index in update.removed:
                batch = remove(CONCRETE, batch, index)
        case Phase.ADDED:
            for ordinal, (index, _) in enumerate(update.added):
                batch = add(CONCRETE, batch, index, first_newcomer + ordinal)
        case Phase.MOVED:
            for source, destination, how in update.moved:
                one_way = how is MoveDirectionality.UNIDIRECTIONAL
                batch = (move if one_way else swap)(CONCRETE, batch, source, destination)
    return batch
