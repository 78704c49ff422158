"""Laws B1 to B9, one function for how an update was built: what the numbers alone give away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .operations import Reading, name
from .recording import Update
from .wording import ONE_WAY, Told, expected_moves, legal_dialects


def broken_building(before: Sequence[int], update: Update, reading: Reading) -> Iterator[tuple[str, str]]:
    """Every law of section B that an update breaks, with a sentence."""
    if update.is_empty:
        yield "B7", "an update was delivered though nothing was added, removed or moved: it must be None"
        return
    size, told = len(before), Told.of(update)
    broken = [*_filling(size, told), *_moving(told), *reading.broken]
    yield from broken[: len(broken) - len(reading.broken)]
    if reading.has_hole:
        hole = reading.slots.index(None)
        yield (
            "B4",
            f"slot {hole} is empty below the live slot {len(reading.slots) - 1}: the batch is not contiguous",
        )
    elif not broken and not legal_dialects(size, told) and len(reading.slots) == update.batch_size:
        moves = expected_moves(size, told)
        yield "B4", f"no engine words this step so: for the same finished slots condense makes {moves}"
    live = len(reading.live)
    if live != update.batch_size:
        less = live < update.batch_size
        yield (
            "B8",
            f"the engine counts {update.batch_size} requests, but replaying the update leaves {live}: "
            f"{'one was lost' if less else 'one left without being announced, or is still there and was lost'}",
        )
        yield "B5", f"batch_size is {update.batch_size}, but {live} requests are live"
    doubled = sorted({request for request in reading.live if reading.live.count(request) > 1})
    if doubled:
        yield "B8", f"{name(doubled[0])} is in two slots"


def _filling(size: int, told: Told) -> Iterator[tuple[str, str]]:
    refilled = [index for index in told.added if index < size]
    beyond = [index for index in told.added if index >= size]
    if refilled != sorted(refilled) or list(told.added) != [*refilled, *beyond]:
        yield (
            "B1",
            f"the new requests were added at {list(told.added)}: finished slots are filled in ascending order, "
            f"before any slot past the end",
        )
    if beyond != list(range(size, size + len(beyond))):
        yield "B2", f"the batch of {size} is extended at {beyond}, not at consecutive slots from {size}"
    unfilled = sorted(told.finished(size) - set(refilled))
    if beyond and unfilled:
        yield "B2", f"the batch is extended though the finished slot {unfilled[0]} is free"
    elif refilled and unfilled and unfilled[0] < max(refilled):
        yield "B3", f"the finished slot {unfilled[0]} stays unfilled below the refilled slot {max(refilled)}"


def _moving(told: Told) -> Iterator[tuple[str, str]]:
    kinds = [how for _, _, how in told.moved]
    one_way = [(source, to) for source, to, how in told.moved if how == ONE_WAY]
    if ONE_WAY in kinds and kinds != sorted(kinds, key=lambda how: how != ONE_WAY):
        yield "B6", "a one-way move follows a swap: reordering comes after condense"
    upwards = [(source, to) for source, to in one_way if source < to]
    if upwards:
        yield "B9", f"Move {upwards[0][0]}->{upwards[0][1]} goes upwards"
    destinations = {to for _, to in one_way}
    again = [source for source, _ in one_way if source in destinations]
    if again:
        yield "B9", f"the request at slot {again[0]} is moved twice"
