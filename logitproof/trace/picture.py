"""The step that breaks a law, drawn as a timeline with the steps before it: 80 columns, no colour needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from .operations import Slots, name, read_update
from .recording import Line, Recording, Update
from .violation import Violation

COLUMNS = 80
STEPS_BEFORE = 4
MOST_SLOTS = 12
"""Slots of a batch that are all drawn; of a larger one those that an operation touches."""


def draw_violation(recording: Recording, violation: Violation) -> str:
    """The batch and its operations up to the line of the violation, and what the engine told in it."""
    rows: list[tuple[str, str, str]] = []
    told: list[str] = []
    for line, before in _steps(recording, violation.line):
        if line.number < violation.line:
            rows += _drawn(line, before)
            continue
        if line.number == violation.line:
            rows += _drawn(line, before)
            told = _told(line)
        break
    shown = rows[_start(rows) :]
    lines = list(_aligned(shown))
    if _start(rows):
        lines.insert(0, "  (earlier steps are not shown)")
    if not told:
        told = [f"  line {violation.line} of the file stands here: it is no step of this recorder"]
    return "\n".join([*lines, *told])


def _steps(recording: Recording, last: int) -> Iterator[tuple[Line, list[int]]]:
    slots = [entry.request for entry in recording.batch if entry is not None]
    for line in recording.lines:
        yield line, slots
        if line.update is not None:
            slots = read_update(slots, line.update).live[: line.update.batch_size]
        if line.number >= last:
            return


def _start(rows: Sequence[tuple[str, str, str]]) -> int:
    """Where the last steps begin."""
    starts = [place for place, (operation, _, _) in enumerate(rows) if not operation.startswith(" ")]
    return starts[-STEPS_BEFORE - 1] if len(starts) > STEPS_BEFORE else 0


def _drawn(line: Line, before: list[int]) -> list[tuple[str, str, str]]:
    remark = "None: nothing changes" if line.update is None else ""
    if line.unreadable is not None:
        remark = "an update that cannot be read"
    rows = [(f"step {line.step}", _slots([*before], ()), remark)]
    if line.update is None:
        return rows
    touched = _touched(line.update)
    rows = [(f"step {line.step}", _slots([*before], touched), remark)]
    for operation, slots, said in read_update(before, line.update).pictures:
        rows.append((f"  {operation}", _slots(slots, touched), said))
    return rows


def _touched(update: Update) -> tuple[int, ...]:
    moved = [slot for source, to, _ in update.moved for slot in (source, to)]
    return tuple(sorted({*update.removed, *(entry.index for entry in update.added), *moved}))


def _slots(slots: Slots, touched: Sequence[int]) -> str:
    if len(slots) <= MOST_SLOTS:
        return f"[{','.join(name(request) for request in slots)}]"
    known = [f"{slot}:{name(slots[slot])}" for slot in touched if 0 <= slot < len(slots)][:MOST_SLOTS]
    return f"[{', '.join(known) or '…'}; {len(slots)} slots]"


def _told(line: Line) -> list[str]:
    update = line.update
    if update is None:
        text = "update_state(None)"
    else:
        added = ", ".join(f"({entry.index}, {name(entry.request)})" for entry in update.added)
        moved = ", ".join(f"({source}, {to}, {how})" for source, to, how in update.moved)
        text = (
            f"update_state(BatchUpdate(batch_size={update.batch_size}, removed={list(update.removed)}, "
            f"added=[{added}], moved=[{moved}]))"
        )
    return [f"  {part}" for part in wrap(text, COLUMNS - 4, subsequent_indent="  ")]


def _aligned(rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    operations = max((len(operation) for operation, _, _ in rows), default=0)
    slots = min(36, max((len(drawn) for _, drawn, _ in rows), default=0))
    for operation, drawn, remark in rows:
        arrow = "->" if operation.startswith(" ") else "  "
        line = f"  {operation:{operations}} {arrow} {drawn:{slots}}   {remark}".rstrip()
        yield from wrap(line, COLUMNS, subsequent_indent=" " * (operations + 6), drop_whitespace=False) or [
            line
        ]
