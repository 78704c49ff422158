"""What one mistake would explain a broken update?

A wrong number breaks many laws at once. If changing one thing makes the whole update legal and gives the very slots
that the recorder had, that change is the explanation: an index told in other coordinates (law C1: all of `removed` and
`added` speak of the batch before any move), or a request that was removed though it is still there (B8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from logitproof.model import C1_ORDER, Phase

from .operations import Reading, name, read_update
from .recording import Update
from .wording import ONE_WAY, Told, legal_dialects


def explain(
    before: Sequence[int], update: Update, reading: Reading, place: int, laws: Sequence[str]
) -> tuple[str, str] | None:
    """The law that explains an update which breaks `laws`, with a sentence, or None.

    place: the recorder's sum for the slots that it had after the step. Where it is that of the update as it stands, the
    engine told the update so, and only a rule can explain it; otherwise a number in the file was changed.
    """
    for law, candidate, sentence in (*_wrongly_removed(before, update), *_shifted(before, update, laws)):
        if legal_dialects(len(before), Told.of(candidate)) and read_update(before, candidate).place == place:
            return law, sentence
    cut = Reading(reading.slots[: update.batch_size])
    if place != cut.place or {"A3", "A4"} & {*laws}:
        return None
    for candidate in _popped(update):
        if legal_dialects(len(before), Told.of(candidate)):
            return "C1", _says_popped(update, candidate)
    return _other_order(before, update) if {"B4", "B5"} & {*laws} else None


def _popped(update: Update) -> Iterator[Update]:
    """`removed` read as indices into a list that gets shorter with each of them."""
    if len(update.removed) < 2:
        return
    for order in dict.fromkeys((update.removed, tuple(sorted(update.removed)))):
        slots: list[int] = []
        for told in order:
            index = told
            for taken in sorted(slots):
                index += taken <= index
            slots.append(index)
        if sorted(slots) != sorted(update.removed):
            yield replace(update, removed=tuple(slots))


def _says_popped(update: Update, candidate: Update) -> str:
    return (
        f"removed={list(update.removed)} counts an index after the removals before it: in the batch as it was these "
        f"are {sorted(candidate.removed)}"
    )


def _shifted(before: Sequence[int], update: Update, laws: Sequence[str]) -> Iterator[tuple[str, Update, str]]:
    """One index larger by up to the number of removals before it; a move from an empty slot is not explained away."""
    for candidate in _popped(update):
        yield "C1", candidate, _says_popped(update, candidate)
    refilled = sum(entry.index < len(before) for entry in update.added)
    gone = len(update.removed) + refilled + sum(how == ONE_WAY for _, _, how in update.moved)
    for delta in range(1, gone + 1 if gone > 1 else 1):
        for spot, index in enumerate(update.removed):
            indices = (*update.removed[:spot], index + delta, *update.removed[spot + 1 :])
            yield "C1", replace(update, removed=indices), _says_shifted("Remove", index, delta)
        for spot, entry in enumerate(update.added):
            moved_up = replace(entry, index=entry.index + delta)
            entries = (*update.added[:spot], moved_up, *update.added[spot + 1 :])
            operation = f"Add {name(entry.request)} at"
            yield "C1", replace(update, added=entries), _says_shifted(operation, entry.index, delta)
        for spot, (source, to, how) in enumerate(() if {"A3", "A4"} & {*laws} else update.moved):
            for move in ((source + delta, to, how), (source, to + delta, how)):
                moves = (*update.moved[:spot], move, *update.moved[spot + 1 :])
                index = source if move[0] != source else to
                operation = f"Move {source}->{to}: slot"
                yield "C1", replace(update, moved=moves), _says_shifted(operation, index, delta)


def _says_shifted(operation: str, index: int, delta: int) -> str:
    return (
        f"{operation} {index}: in the coordinates of the other indices it is {index + delta}; it was shifted by "
        f"{delta}, as if counted after removals"
    )


def _wrongly_removed(before: Sequence[int], update: Update) -> Iterator[tuple[str, Update, str]]:
    for spot, index in enumerate(update.removed):
        if 0 <= index < len(before):
            kept = replace(update, removed=(*update.removed[:spot], *update.removed[spot + 1 :]))
            sentence = (
                f"{name(before[index])} in slot {index} is removed, but the batch still has it: it was lost"
            )
            yield "B8", kept, sentence


def _other_order(before: Sequence[int], update: Update) -> tuple[str, str] | None:
    """Whether the phases in an order with moves before adds or removes leave a contiguous batch of the right size."""
    for order in permutations(Phase):
        if order[-1] is C1_ORDER[-1]:
            continue
        other = read_update(before, update, order)
        if not (other.broken or other.has_hole) and len(other.slots) == update.batch_size:
            phases = ", then ".join(phase.value for phase in order)
            return "C1", f"the indices are right only if read as {phases}"
    return None
