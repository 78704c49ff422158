"""A step drawn as the contract draws its worked examples: one line per operation, holes as `_`.

>>> print(draw_step(["A", "B", "C", "D"], finished=["A", "C"], new=["E"], swaps=[(0, 1)]))
              [A,B,C,D]
Add E@0    -> [E,B,C,D]   A is discarded
Remove 2   -> [E,B,_,D]   C is discarded
Move 3->2  -> [E,B,D]
Swap 0<->1 -> [B,E,D]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from logitproof.spec.algebra import EMPTY

from .concrete import CONCRETE
from .condense import move_down
from .fill import extend, refill, retire
from .reorder import exchange
from .rule import Rule
from .step import step
from .step_state import StepState


def draw_slots(slots: Iterable[object], cut: int | None = None) -> str:
    """`[A,_,C]`: requests by slot, `_` for an empty one (None), without the empty ones at the end.

    Args:
        cut: keep empty slots below this index.
    """
    shown = _without_empty_end(slots, cut or 0)
    return f"[{','.join('_' if request is None else str(request) for request in shown)}]"


def _without_empty_end(slots: Iterable[object], cut: int = 0) -> list[object]:
    shown = list(slots)
    while len(shown) > cut and shown[-1] is None:
        shown.pop()
    return shown


def draw_touched(slots: Sequence[object], touched: Iterable[int], width: int) -> str:
    """`[3:R3, 9:_; 60 slots]`: of many slots those that matter, as many as fit into `width` columns."""
    end = f"; {len(slots)} slots]"
    shown: list[str] = []
    for slot in sorted({*touched}):
        if slot < len(slots):
            entry = f"{slot}:{'_' if slots[slot] is None else slots[slot]}"
            if len(", ".join([*shown, entry, ".."])) + 1 + len(end) > width:
                shown.append("..")
                break
            shown.append(entry)
    return f"[{', '.join(shown) or '..'}{end}"


def step_lines(
    batch: Sequence[Any],
    finished: Iterable[Any] = (),
    new: Sequence[Any] = (),
    swaps: Sequence[tuple[int, int]] = (),
    width: int | None = None,
) -> list[tuple[str, str, str]]:
    """The operations of a step, each with the slots that it leaves and a remark; the first entry is the start.

    width: columns for the slots; where they do not fit, every line shows only those that some operation touches.
    """
    names = [*batch, *new]
    seen: list[tuple[str, list[Any], str]] = [("", list(batch), "")]
    touched: set[int] = set()

    def watch(rule: Rule, s: StepState) -> None:
        operation, remark = _describe(rule, s, names)
        if operation:
            after = rule(CONCRETE, s).effect().batch
            numbers = after.slots.listed(after.size)
            seen.append(
                (operation, [None if number == EMPTY else names[number] for number in numbers], remark)
            )
            touched.update(_touched(rule, s))

    step(batch, finished, new, swaps, watch=watch)
    drawn = [draw_slots(slots) for _, slots, _ in seen]
    if width is not None and max(map(len, drawn)) > width:
        drawn = [draw_touched(_without_empty_end(slots), touched, width) for _, slots, _ in seen]
    return [(operation, shown, remark) for (operation, _, remark), shown in zip(seen, drawn, strict=True)]


def draw_step(
    batch: Sequence[Any],
    finished: Iterable[Any] = (),
    new: Sequence[Any] = (),
    swaps: Sequence[tuple[int, int]] = (),
    width: int | None = None,
) -> str:
    """The whole step as text, one operation a line. width: columns for the slots, as for `step_lines`."""
    return format_lines(step_lines(batch, finished, new, swaps, width))


def format_lines(lines: Sequence[tuple[str, str, str]]) -> str:
    """Align operations, slots and remarks in columns."""
    operations = max(len(operation) for operation, _, _ in lines)
    slots = max(len(drawn) for _, drawn, _ in lines)
    return "\n".join(
        f"{operation:{operations}} {'->' if operation else '  '} {drawn:{slots}}   {remark}".rstrip()
        for operation, drawn, remark in lines
    )


def _describe(rule: Rule, s: StepState, names: Sequence[object]) -> tuple[str, str]:
    if rule is refill:
        newcomer, occupant = names[s.plan.arrivals[s.taken]], names[s.batch.slots[s.cursor]]
        return f"Add {newcomer}@{s.cursor}", f"{occupant} is discarded"
    if rule is extend:
        return f"Add {names[s.plan.arrivals[s.taken]]}@{s.batch.size}", ""
    if rule is retire:
        return f"Remove {s.cursor}", f"{names[s.batch.slots[s.cursor]]} is discarded"
    if rule is move_down:
        return f"Move {s.high}->{s.low}", ""
    if rule is exchange:
        return f"Swap {s.plan.swap_source[s.swapped]}<->{s.plan.swap_destination[s.swapped]}", ""
    return "", ""


def _touched(rule: Rule, s: StepState) -> tuple[int, ...]:
    """The slots that an operation is about."""
    if rule is extend:
        return (s.batch.size,)
    if rule is move_down:
        return s.high, s.low
    if rule is exchange:
        return s.plan.swap_source[s.swapped], s.plan.swap_destination[s.swapped]
    return (s.cursor,)
