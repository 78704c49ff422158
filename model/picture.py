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

from .batch import Batch
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
    shown = ["_" if request is None else str(request) for request in slots]
    while shown and shown[-1] == "_" and len(shown) > (cut or 0):
        shown.pop()
    return f"[{','.join(shown)}]"


def draw_batch(batch: Batch, names: Sequence[object]) -> str:
    """A concrete abstract batch with its requests named by number."""
    numbers = batch.slots.listed(batch.size)
    return draw_slots(None if number == EMPTY else names[number] for number in numbers)


def step_lines(
    batch: Sequence[Any],
    finished: Iterable[Any] = (),
    new: Sequence[Any] = (),
    swaps: Sequence[tuple[int, int]] = (),
) -> list[tuple[str, str, str]]:
    """The operations of a step, each with the slots that it leaves and a remark; the first entry is the start."""
    names = [*batch, *new]
    lines = [("", draw_slots(batch), "")]

    def watch(rule: Rule, s: StepState) -> None:
        operation, remark = _describe(rule, s, names)
        if operation:
            lines.append((operation, draw_batch(rule(CONCRETE, s).effect().batch, names), remark))

    step(batch, finished, new, swaps, watch=watch)
    return lines


def draw_step(
    batch: Sequence[Any],
    finished: Iterable[Any] = (),
    new: Sequence[Any] = (),
    swaps: Sequence[tuple[int, int]] = (),
) -> str:
    """The whole step as text, one operation a line."""
    return format_lines(step_lines(batch, finished, new, swaps))


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
