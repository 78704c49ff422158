"""Consumers that do not follow C1, and for each the smallest step that proves them wrong, or the theorem that does not.

The table of C3 (five other phase orders, three dialects) is here, and four consumers that read the moves wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from logitproof.model import C1_ORDER, Phase, Update, draw_slots, replay
from logitproof.spec import Dialect, MoveDirectionality

from .obligations import OBLIGATIONS
from .small_steps import SmallStep, small_steps

Slots: TypeAlias = list[str | None]
Consumer: TypeAlias = Callable[[Sequence[str], Update[str] | None], Slots]

R, A, M = C1_ORDER
OTHER_ORDERS: dict[str, tuple[Phase, Phase, Phase]] = {
    "adds_before_removes": (A, R, M),
    "moves_before_adds": (R, M, A),
    "removes_last": (A, M, R),
    "moves_first_then_removes": (M, R, A),
    "moves_first_then_adds": (M, A, R),
}
"""The five phase orders that are not C1's."""


def cell(order: str, dialect: Dialect) -> str:
    """The name of the claim that an order is harmless in a dialect."""
    return f"{order}_is_harmless_in_the_{dialect.value}_dialect"


THEOREMS = {obligation.name for obligation in OBLIGATIONS}
"""A cell of C3's table that is no theorem must be refuted."""


@dataclass(frozen=True, slots=True)
class WrongConsumer:
    """A claim that must be refuted: a consumer that breaks C1 or A3, A4 gives the engine's batch all the same."""

    name: str
    sentence: str
    laws: tuple[str, ...]
    dialect: Dialect
    read: Consumer


@dataclass(frozen=True, slots=True)
class Witness:
    """A step on which a consumer ends with other slots than the engine."""

    consumer: WrongConsumer
    step: SmallStep
    got: Slots

    def draw(self) -> str:
        """The step, the update, and both results."""
        outcome = self.step.take(self.consumer.dialect)
        return "\n".join(
            [
                self.step.draw(),
                f"{self.consumer.dialect.value} {outcome.update}",
                f"engine        {draw_slots(outcome.batch)}",
                f"this consumer {draw_slots(self.got)}",
            ]
        )


def _in_order(order: tuple[Phase, Phase, Phase]) -> Consumer:
    return lambda slots, update: replay(slots, update, order)


def _reading_moves(
    change: Callable[[list[tuple[int, int, MoveDirectionality]]], list[tuple[int, int, MoveDirectionality]]],
) -> Consumer:
    def read(slots: Sequence[str], update: Update[str] | None) -> Slots:
        return replay(slots, update and replace(update, moved=change(update.moved)))

    return read


def _keeping_sources(slots: Sequence[str], update: Update[str] | None) -> Slots:
    if update is None:
        return list(slots)
    seen = replay(slots, replace(update, moved=[]))
    for source, destination, how in update.moved:
        seen += [None] * (1 + max(source, destination) - len(seen))
        if how is MoveDirectionality.SWAP:
            seen[source], seen[destination] = seen[destination], seen[source]
        else:
            seen[destination] = seen[source]
    while seen and seen[-1] is None:
        seen.pop()
    return seen


ONE_WAY = MoveDirectionality.UNIDIRECTIONAL
WRONG_READINGS: dict[str, tuple[str, tuple[str, ...], Consumer]] = {
    "reading_moves_in_reverse": (
        "takes the moves in reverse order",
        ("C1", "C3"),
        _reading_moves(lambda m: m[::-1]),
    ),
    "skipping_moves": ("skips the moves", ("C2",), _reading_moves(lambda m: [])),
    "reading_a_swap_as_one_way": (
        "treats a swap as a one-way move",
        ("A4",),
        _reading_moves(lambda m: [(source, destination, ONE_WAY) for source, destination, _ in m]),
    ),
    "forgetting_to_empty_the_source": (
        "leaves the request at the source of a one-way move",
        ("A3",),
        _keeping_sources,
    ),
}

WRONG_CONSUMERS: tuple[WrongConsumer, ...] = (
    *(
        WrongConsumer(
            cell(name, dialect),
            f"For every {dialect.value} update: reading {', '.join(phase.value for phase in order)} gives the engine's "
            "slots.",
            ("C3",),
            dialect,
            _in_order(order),
        )
        for name, order in OTHER_ORDERS.items()
        for dialect in Dialect
        if cell(name, dialect) not in THEOREMS
    ),
    *(
        WrongConsumer(
            cell(name, dialect),
            f"For every {dialect.value} update: a consumer that {what} gives the engine's slots.",
            laws,
            dialect,
            read,
        )
        for name, (what, laws, read) in WRONG_READINGS.items()
        for dialect in Dialect
    ),
)
"""Every claim that must be refuted."""


def smallest_witness(consumer: WrongConsumer) -> Witness | None:
    """The smallest step, of those with at most three slots, two arrivals and two swaps, that refutes the consumer."""
    for small in small_steps(3, 2, 2):
        outcome = small.take(consumer.dialect)
        got = consumer.read(small.batch, outcome.update)
        if got != outcome.batch:
            return Witness(consumer, small, got)
    return None
