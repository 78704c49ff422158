"""What an obligation is: a sentence, the laws it belongs to, and the cases that together establish it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import cleandoc
from types import MappingProxyType
from typing import Any, TypeAlias

from logitproof.model import announce, batch, condense, fill, reorder, step_state
from logitproof.model.rule import Firing
from logitproof.spec.algebra import Algebra, Bool


class Text:
    """The functions of the model under proof, by name: the real ones, or with a mutant in place of one."""

    def __init__(self, replaced: dict[str, Callable[..., Any]] | None = None) -> None:
        self._functions = MappingProxyType({**MODEL_TEXT, **(replaced or {})})

    def __getattr__(self, name: str) -> Callable[..., Any]:
        try:
            return self._functions[name]
        except KeyError:
            raise AttributeError(name) from None


MODEL_TEXT: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(batch.remove, batch.add, batch.move, batch.swap),
        *(step_state.begin, step_state.append_move),
        *(fill.keep, fill.refill, fill.extend, fill.retire),
        *(condense.open_condense, condense.advance, condense.retreat, condense.move_down, condense.shrink),
        *(reorder.exchange,),
        *(announce.documented, announce.elided, announce.redundant),
    )
}
"""Everything that is proved about, and mutated: the operations, the rules, the transitions and the dialects."""


@dataclass(frozen=True, slots=True)
class Sequent:
    """Assumptions and what must follow from them, each built when asked for: most states need only one of them.

    `invariant` never depends on the text under proof; what does, such as a rule's guard, is in `given`.
    """

    invariant: Callable[[], list[Bool]]
    claim: Callable[[], Bool]
    given: Callable[[], list[Bool]] = list

    def assumed(self) -> list[Bool]:
        """Everything that may be used."""
        return [*self.given(), *self.invariant()]


Statement: TypeAlias = Callable[[Algebra, Text, Any], Sequent]


@dataclass(frozen=True, slots=True)
class Case:
    """One sequent about an arbitrary state of the given type. `about` names the functions of the model it speaks of."""

    about: tuple[str, ...]
    state: type
    statement: Statement


@dataclass(frozen=True, slots=True)
class Obligation:
    """A theorem: `name` is its sentence in short, `sentence` in full, with its quantifiers."""

    name: str
    sentence: str
    laws: tuple[str, ...]
    cases: tuple[Case, ...]


OBLIGATIONS: list[Obligation] = []
"""Every theorem, in the order in which the contract reads."""


def obligation(*laws: str) -> Callable[[Callable[[], Iterable[Case]]], Obligation]:
    """Register a function that lists cases; its name and docstring become the theorem's."""

    def register(cases: Callable[[], Iterable[Case]]) -> Obligation:
        found = Obligation(
            cases.__name__, " ".join(cleandoc(cases.__doc__ or "").split()), laws, tuple(cases())
        )
        OBLIGATIONS.append(found)
        return found

    return register


Condition: TypeAlias = Callable[[Algebra, Any], Bool]
"""A statement about one state."""
Invariant: TypeAlias = tuple[Condition, ...]
"""Conditions that a loop keeps together; each may need the others."""


def holds(L: Algebra, invariant: Invariant, state: Any) -> list[Bool]:
    """Every condition of an invariant, about one state."""
    return [condition(L, state) for condition in invariant]


def _all_hold(L: Algebra, claims: Iterable[Condition], state: Any) -> Bool:
    return L.all_of(*(claim(L, state) for claim in claims))


def kept_by(rule: str, state: type, invariant: Invariant, *claims: Condition) -> Case:
    """If the invariant holds and the rule may fire, the claims (conditions of the invariant) hold afterwards."""

    def statement(L: Algebra, text: Text, s: Any) -> Sequent:
        firing: Firing = getattr(text, rule)(L, s)
        return Sequent(
            lambda: holds(L, invariant, s),
            lambda: _all_hold(L, claims, firing.effect()),
            lambda: [firing.guard],
        )

    return Case((rule,), state, statement)


def set_up_by(transition: str, state: type, before: Invariant, *claims: Condition) -> Case:
    """If `before` holds, the claims hold once the transition has been made."""

    def statement(L: Algebra, text: Text, s: Any) -> Sequent:
        return Sequent(
            lambda: holds(L, before, s),
            lambda: _all_hold(L, claims, getattr(text, transition)(L, s)),
        )

    return Case((transition,), state, statement)


def stops_only_when(rules: tuple[str, ...], state: type, invariant: Invariant, *claims: Condition) -> Case:
    """If the invariant holds and none of the rules may fire, the claims hold."""

    def statement(L: Algebra, text: Text, s: Any) -> Sequent:
        return Sequent(
            lambda: holds(L, invariant, s),
            lambda: _all_hold(L, claims, s),
            lambda: [L.negate(getattr(text, rule)(L, s).guard) for rule in rules],
        )

    return Case(rules, state, statement)


def lowers(rule: str, state: type, invariant: Invariant, rank: Callable[[Algebra, Any], Any]) -> Case:
    """Whenever the rule may fire, the rank is positive, and firing lowers it."""

    def statement(L: Algebra, text: Text, s: Any) -> Sequent:
        firing: Firing = getattr(text, rule)(L, s)

        def claim() -> Bool:
            after = firing.effect()
            return L.all_of(rank(L, s) > 0, rank(L, after) < rank(L, s), rank(L, after) >= 0)

        return Sequent(lambda: holds(L, invariant, s), claim, lambda: [firing.guard])

    return Case((rule,), state, statement)
