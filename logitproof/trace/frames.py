"""A recording as a sequence of batches: who was there after each step, who entered, and whose token was thrown away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .operations import read_update
from .recording import Added, Recording
from .wording import ONE_WAY


@dataclass(slots=True)
class Frame:
    """One step. lengths: output tokens of `requests` before its sampling. partial: requests that did not grow in it."""

    requests: tuple[int, ...]
    entered: tuple[Added, ...]
    swaps: tuple[tuple[int, int], ...]
    lengths: tuple[int, ...]
    partial: set[int] = field(default_factory=set)


def frames(recording: Recording) -> list[Frame]:
    """Every step of a recording that breaks no law."""
    found: list[Frame] = []
    known = {entry.request: (entry.output_length, 0) for entry in recording.batch if entry is not None}
    slots = [entry.request for entry in recording.batch if entry is not None]
    for number, line in enumerate(recording.lines):
        entered: tuple[Added, ...] = ()
        swaps: tuple[tuple[int, int], ...] = ()
        if line.update is not None:
            slots = read_update(slots, line.update).live
            entered = line.update.added
            swaps = tuple((source, to) for source, to, how in line.update.moved if how != ONE_WAY)
            known.update({entry.request: (entry.output_length, number) for entry in entered})
        for slot, length, _ in line.lengths:
            for frame in _not_grown(found, slots[slot], length, known[slots[slot]], number):
                frame.partial.add(slots[slot])
            known[slots[slot]] = (length, number)
        lengths = tuple(length + number - since for length, since in (known[request] for request in slots))
        found.append(Frame(tuple(slots), entered, swaps, lengths))
        known = {request: known[request] for request in slots}
    return found


def _not_grown(
    found: list[Frame], request: int, length: int, known: tuple[int, int], number: int
) -> Iterator[Frame]:
    """The last steps before `number` that gave the request no token, as many as it lacks."""
    lacking = known[0] + number - known[1] - length
    for frame in found[max(0, number - lacking) : number] if lacking > 0 else ():
        if request in frame.requests:
            yield frame
