"""The two symbolic readings of the algebra: quantified for proofs, expanded over a finite scope for refutations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from itertools import product
from typing import Any

import z3

from logitproof.model.concrete import Concrete, TotalMap
from logitproof.model.sorts import COUNT, FLAG, ORDINAL, REQUEST, SLOT, MapSort, Sort, sort_of
from logitproof.spec.algebra import EMPTY, NOWHERE, Bool, Int, Map

REACH = 2
"""How far outside a scope a (broken) rule may read: its counterexamples must say what lies there."""


class Unbounded:
    """Quantifiers stay quantifiers: what is proved here holds for every size."""

    def __init__(self) -> None:
        self.context = z3.Context()  # one per case: z3 counts its resource limit per context

    def truth(self, condition: Bool) -> Any:
        """A z3 term, also for a plain bool."""
        return z3.BoolVal(condition, self.context) if isinstance(condition, bool) else condition

    def all_of(self, *conditions: Bool) -> Bool:
        return z3.And([self.truth(condition) for condition in (True, *conditions)])

    def any_of(self, *conditions: Bool) -> Bool:
        return z3.Or([self.truth(condition) for condition in (False, *conditions)])

    def negate(self, condition: Bool) -> Bool:
        return z3.Not(self.truth(condition))

    def implies(self, premise: Bool, conclusion: Bool) -> Bool:
        return z3.Implies(self.truth(premise), self.truth(conclusion))

    def same(self, left: Bool, right: Bool) -> Bool:
        return self.truth(left) == self.truth(right)

    def choose(self, condition: Bool, then: Any, otherwise: Any) -> Any:
        return z3.If(self.truth(condition), then, otherwise)

    def at(self, mapping: Map, key: Int) -> Any:
        return z3.Select(mapping, key)

    def put(self, mapping: Map, key: Int, value: Any) -> Map:
        return z3.Store(mapping, key, value)

    def everywhere(self, value: int | bool) -> Map:
        constant = (
            z3.BoolVal(value, self.context) if isinstance(value, bool) else z3.IntVal(value, self.context)
        )
        return z3.K(z3.IntSort(self.context), constant)

    def every_slot(self, condition: Callable[..., Bool]) -> Bool:
        return self._every(SLOT, condition)

    def every_request(self, condition: Callable[..., Bool]) -> Bool:
        return self._every(REQUEST, condition)

    def every_ordinal(self, condition: Callable[..., Bool]) -> Bool:
        return self._every(ORDINAL, condition)

    def _every(self, sort: Sort, condition: Callable[..., Bool]) -> Bool:
        names = condition.__code__.co_varnames[: condition.__code__.co_argcount]
        bound = [z3.Int(name, self.context) for name in names]
        body = self.truth(condition(*bound))
        if sort is not SLOT:
            body = z3.Implies(z3.And([variable >= 0 for variable in bound]), body)
        return z3.ForAll(bound, body)

    def fresh(self, state: type, prefix: str = "") -> Any:
        """A state whose terms are unconstrained constants, named after its fields."""
        terms: dict[str, Any] = {}
        for declared in fields(state):
            sort, name = sort_of(declared), f"{prefix}{declared.name}"
            if isinstance(sort, MapSort):
                value = z3.BoolSort(self.context) if sort.value is FLAG else z3.IntSort(self.context)
                terms[declared.name] = z3.Array(name, z3.IntSort(self.context), value)
            elif isinstance(sort, Sort):
                terms[declared.name] = (
                    z3.Bool(name, self.context) if sort is FLAG else z3.Int(name, self.context)
                )
            else:
                terms[declared.name] = self.fresh(sort, f"{name}.")
        return state(**terms)


class FiniteScope(Unbounded):
    """Quantifiers run over a few indices, so that the solver finds models; `size` bounds every count.

    Slots are looked at from -1 to `size` + 1, so that the first index outside is seen on both sides; there may be
    twice as many requests as slots, since all of them may be replaced in one step.
    """

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size
        self._keys = {
            SLOT: range(-1, size + 2),
            REQUEST: range(2 * size),
            ORDINAL: range(size + 2),
        }
        self._values = {
            SLOT: (NOWHERE, size),
            REQUEST: (EMPTY, 2 * size - 1),
            ORDINAL: (NOWHERE, size),
            COUNT: (0, size),
        }

    def _every(self, sort: Sort, condition: Callable[..., Bool]) -> Bool:
        points = product(self._keys[sort], repeat=condition.__code__.co_argcount)
        return z3.And(
            [self.truth(condition(*(z3.IntVal(index, self.context) for index in point))) for point in points]
        )

    def executed(self) -> Concrete:
        """The concrete reading that looks at the same indices."""
        return Concrete(slots=self._keys[SLOT], requests=self._keys[REQUEST], ordinals=self._keys[ORDINAL])

    def within(self, state: Any) -> list[Any]:
        """The constraints that keep every term of a fresh state inside the scope."""
        found: list[Any] = []
        for declared in fields(state):
            sort, term = sort_of(declared), getattr(state, declared.name)
            if is_dataclass(term):
                found += self.within(term)
            elif isinstance(sort, MapSort) and sort.value is not FLAG:
                found += [c for key in self._keys[sort.key] for c in self._between(term[key], sort.value)]
            elif isinstance(sort, Sort) and sort is not FLAG:
                found += self._between(term, sort)
        return found

    def _between(self, term: Any, sort: Sort) -> list[Any]:
        low, high = self._values[sort]
        return [term >= low, term <= high]

    def concrete(self, state: Any, model: Any) -> Any:
        """The state that a z3 model describes, in the concrete reading."""

        def value(term: Any, sort: Sort) -> Any:
            found = model.eval(term, model_completion=True)
            return z3.is_true(found) if sort is FLAG else found.as_long()

        terms: dict[str, Any] = {}
        for declared in fields(state):
            sort, term = sort_of(declared), getattr(state, declared.name)
            if is_dataclass(term):
                terms[declared.name] = self.concrete(term, model)
            elif isinstance(sort, MapSort):
                default = False if sort.value is FLAG else NOWHERE
                keys = self._keys[sort.key]
                cells = {
                    key: value(term[key], sort.value) for key in range(keys.start - REACH, keys.stop + REACH)
                }
                terms[declared.name] = TotalMap(default, cells)
            else:
                assert isinstance(sort, Sort)
                terms[declared.name] = value(term, sort)
        return type(state)(**terms)
