"""An update read operation by operation on a list of slots: what each does, and which of laws A1 to A4 it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from logitproof.model import C1_ORDER, Phase

from .recording import Update

Slots: TypeAlias = list[int | None]
"""Requests by slot; None is a hole."""

FARTHEST = 4096
"""An Add farther past the end than this is not carried out: a damaged number must not take all memory."""


@dataclass(slots=True)
class Reading:
    """The slots after an update, read in the order of C1, and what was wrong on the way.

    pictures: (operation, slots after it, remark), one per operation. broken: (law, sentence).
    """

    slots: Slots
    pictures: list[tuple[str, Slots, str]] = field(default_factory=list)
    broken: list[tuple[str, str]] = field(default_factory=list)

    @property
    def live(self) -> list[int]:
        """The requests in the batch."""
        return [request for request in self.slots if request is not None]

    @property
    def has_hole(self) -> bool:
        """Whether an empty slot lies below a live one."""
        return None in self.slots

    @property
    def place(self) -> int:
        """The recorder's sum over live slots; see `logitproof.record`."""
        return sum((slot + 1) * (who + 1) for slot, who in enumerate(self.slots) if who is not None)


def read_update(before: Sequence[int], update: Update, order: Iterable[Phase] = C1_ORDER) -> Reading:
    """Removed, then added, then moved, unless told otherwise (contract C1). What cannot be done is noted and left out.

    What can be done is done as `logitproof.model.replay` does it; tests/trace compares the two.
    """
    reading = Reading(list(before))
    for phase in order:
        _read(phase, reading, update)
    while reading.slots and reading.slots[-1] is None:
        reading.slots.pop()
    return reading


def _read(phase: Phase, reading: Reading, update: Update) -> None:
    match phase:
        case Phase.REMOVED:
            for index in update.removed:
                _remove(reading, index)
        case Phase.ADDED:
            taken: set[int] = set()
            for added in update.added:
                _add(reading, added.index, added.request, taken)
                taken.add(added.index)
        case Phase.MOVED:
            for source, destination, how in update.moved:
                (_swap if how == "SWAP" else _move)(reading, source, destination)


def _remove(reading: Reading, index: int) -> None:
    slots, remark = reading.slots, ""
    if not 0 <= index < len(slots):
        remark = f"there is no slot {index}"
        reading.broken.append(("A1", f"Remove {index}: the batch has {len(slots)} slots"))
    elif slots[index] is None:
        remark = f"slot {index} is empty already"
        reading.broken.append(("A1", f"Remove {index}: the slot is empty already"))
    else:
        remark = f"{name(slots[index])} is discarded"
        slots[index] = None
    reading.pictures.append((f"Remove {index}", list(slots), remark))


def _add(reading: Reading, index: int, request: int, taken: set[int]) -> None:
    slots, remark = reading.slots, ""
    operation = f"Add {name(request)}@{index}"
    if index in taken:
        remark = "the slot was filled in this step"
        reading.broken.append(("A2", f"{operation}: another new request was added there in the same step"))
    elif not 0 <= index <= len(slots):
        remark = f"the first slot past the end is {len(slots)}"
        reading.broken.append(("A2", f"{operation}: {remark}"))
    elif index < len(slots) and slots[index] is not None:
        remark = f"{name(slots[index])} is discarded"
    if 0 <= index <= len(slots) + FARTHEST:
        slots.extend([None] * (index + 1 - len(slots)))
        slots[index] = request
    reading.pictures.append((operation, list(slots), remark))


def _move(reading: Reading, source: int, destination: int) -> None:
    slots, remark = reading.slots, ""
    operation = f"Move {source}->{destination}"
    if not _is_live(slots, source):
        remark = f"slot {source} is empty"
        reading.broken.append(("A3", f"{operation}: slot {source} is empty, there is no request to move"))
    elif not 0 <= destination < len(slots) or source == destination:
        remark = "there is no such move"
        reading.broken.append(("A3", f"{operation}: the destination is not another slot of the batch"))
    else:
        if slots[destination] is not None:
            remark = f"{name(slots[destination])} is discarded"
        slots[destination], slots[source] = slots[source], None
    reading.pictures.append((operation, list(slots), remark))


def _swap(reading: Reading, source: int, destination: int) -> None:
    slots, remark = reading.slots, ""
    operation = f"Swap {source}<->{destination}"
    empty = [slot for slot in (source, destination) if not _is_live(slots, slot)]
    if empty:
        remark = f"slot {empty[0]} is empty"
        reading.broken.append(("A4", f"{operation}: slot {empty[0]} holds no request"))
    elif source == destination:
        remark = "a slot with itself"
        reading.broken.append(("A4", f"{operation}: a slot is swapped with itself"))
    else:
        slots[source], slots[destination] = slots[destination], slots[source]
    reading.pictures.append((operation, list(slots), remark))


def _is_live(slots: Slots, index: int) -> bool:
    return 0 <= index < len(slots) and slots[index] is not None


def name(request: int | None) -> str:
    """`r7`: how a recorded request is called."""
    return "_" if request is None else f"r{request}"
