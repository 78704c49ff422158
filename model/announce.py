"""From record to update: which slots each dialect announces as removed, and when there is nothing to announce."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from logitproof.spec import Dialect
from logitproof.spec.algebra import EMPTY, NOWHERE, Algebra, Bool, Int

from .step_state import StepState

Announced: TypeAlias = Callable[[Algebra, StepState, Int], Bool]
"""Whether a slot is in `removed`, at the end of a step."""


def documented(L: Algebra, s: StepState, index: Int) -> Bool:
    """A finished slot that no Add refilled."""
    return L.at(s.record.removed, index)


def elided(L: Algebra, s: StepState, index: Int) -> Bool:
    """A finished slot that neither an Add nor a move refilled."""
    return L.all_of(L.at(s.record.removed, index), L.at(s.record.filler, index) == NOWHERE)


def redundant(L: Algebra, s: StepState, index: Int) -> Bool:
    """Any finished slot."""
    return L.at(s.plan.finished, index)


ANNOUNCED: dict[Dialect, Announced] = {
    Dialect.DOCUMENTED: documented,
    Dialect.ELIDED: elided,
    Dialect.REDUNDANT: redundant,
}


def nothing_to_announce(L: Algebra, s: StepState, announced: Announced) -> Bool:
    """B7: no removed slot, no added request, no move."""
    return L.all_of(
        L.every_slot(lambda i: L.negate(announced(L, s, i))),
        L.every_slot(lambda i: L.at(s.record.added, i) == EMPTY),
        s.record.moves.length == 0,
    )
