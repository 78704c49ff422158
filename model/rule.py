"""What a rule is, and the one small scheduler that fires rules while their guard holds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from logitproof.spec.algebra import Algebra, Bool, Int

from .concrete import CONCRETE
from .step_state import StepState


@dataclass(frozen=True, slots=True)
class Firing:
    """A rule looked at in one state: may it fire, and what is the state afterwards."""

    guard: Bool
    effect: Callable[[], StepState]


Rule: TypeAlias = Callable[[Algebra, StepState], Firing]
"""A straight-line function: no branch on state values, no loop over slots."""


@dataclass(frozen=True, slots=True)
class Loop:
    """Rules that fire, one at a time, until none may.

    `rank` is a number that every firing lowers and that is never negative while a guard holds, so the loop ends.
    """

    name: str
    rules: tuple[Rule, ...]
    rank: Callable[[Algebra, StepState], Int]


Watcher: TypeAlias = Callable[[Rule, StepState], None]
"""Called with each rule and the state in which it is about to fire."""


class LoopDoesNotEnd(RuntimeError):
    """A rule fired and left the rank of its loop where it was: the rule is broken."""


def run(loop: Loop, state: StepState, watch: Watcher | None = None) -> StepState:
    """Fire the loop's rules on a concrete state until no guard holds. Raises LoopDoesNotEnd if a rule is broken."""
    while True:
        for rule in loop.rules:
            firing = rule(CONCRETE, state)
            if firing.guard:
                if watch is not None:
                    watch(rule, state)
                after = firing.effect()
                if loop.rank(CONCRETE, after) >= loop.rank(CONCRETE, state):
                    raise LoopDoesNotEnd(
                        f"rule {rule.__name__} of loop {loop.name} fired without lowering its rank"
                    )
                state = after
                break
        else:
            return state
