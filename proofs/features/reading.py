"""Two readings of kernels and of statements about rows: z3 reals of any vocabulary, and exact numbers that execute."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any, Protocol

import z3

from logitproof.model.rows.reference import BANNED
from logitproof.model.rows.scalar import Floats, Logit, Real, Scalar
from logitproof.spec.algebra import Bool, Int

from ..symbolic import Unbounded


class RowReading(Scalar, Protocol):
    """What kernels need, and what statements about a whole row need on top."""

    def all_of(self, *conditions: Bool) -> Bool:
        """Conjunction."""

    def negate(self, condition: Bool) -> Bool:
        """Negation."""

    def implies(self, premise: Bool, conclusion: Bool) -> Bool:
        """Implication."""

    def same(self, left: Bool, right: Bool) -> Bool:
        """Equivalence of two conditions."""

    def finite(self, logit: Logit) -> Bool:
        """Whether the logit is a number, that is, not banned."""

    def every_token(self, size: Int, condition: Callable[..., Bool]) -> Bool:
        """Whether the condition holds for every token of the vocabulary (every pair, if it takes two)."""

    def some_token(self, size: Int, condition: Callable[[Int], Bool]) -> Bool:
        """Whether the condition holds for some token of the vocabulary."""

    def exp_is_increasing(self) -> Bool:
        """All that is assumed of the exponential: positive, strictly increasing, 1 at 0."""

    def exp_turns_differences_into_ratios(self, a: Logit, b: Logit) -> Bool:
        """exp(a - b) = exp(a) / exp(b), for these two finite logits."""


class ExtendedReal:
    """A logit as z3 terms: a real number, or banned. A banned operand makes the result banned."""

    __slots__ = ("banned", "value")

    def __init__(self, value: Any, banned: Any) -> None:
        self.value = value
        self.banned = banned

    def _with(self, other: Any, operation: Callable[[Any, Any], Any]) -> ExtendedReal:
        if isinstance(other, ExtendedReal):
            return ExtendedReal(operation(self.value, other.value), z3.Or(self.banned, other.banned))
        return ExtendedReal(operation(self.value, other), self.banned)

    def __add__(self, other: Any) -> ExtendedReal:
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other: Any) -> ExtendedReal:
        return self._with(other, lambda a, b: a - b)

    def __mul__(self, other: Any) -> ExtendedReal:
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other: Any) -> ExtendedReal:
        return self._with(other, lambda a, b: a / b)

    def __lt__(self, other: Any) -> Any:
        if isinstance(other, ExtendedReal):
            return z3.And(z3.Not(other.banned), z3.Or(self.banned, self.value < other.value))
        return z3.Or(self.banned, self.value < other)

    def __gt__(self, other: Any) -> Any:
        if isinstance(other, ExtendedReal):
            return other < self
        return z3.And(z3.Not(self.banned), self.value > other)

    def __le__(self, other: Any) -> Any:
        return z3.Not(self > other)

    def __ge__(self, other: Any) -> Any:
        return z3.Not(self < other)

    def __eq__(self, other: Any) -> Any:
        return z3.And(self.banned == other.banned, z3.Or(self.banned, self.value == other.value))

    __hash__ = None  # type: ignore[assignment]  # equality is a formula


class SymbolicRows(Unbounded):
    """z3 reals; quantifiers over tokens stay quantifiers, so what is proved holds for every vocabulary."""

    def __init__(self) -> None:
        super().__init__()
        real = z3.RealSort(self.context)
        self._exp = z3.Function("exp", real, real)

    @property
    def banned(self) -> Logit:
        return ExtendedReal(z3.RealVal(0, self.context), z3.BoolVal(True, self.context))

    def choose(self, condition: Bool, then: Any, otherwise: Any) -> Any:
        asked = self.truth(condition)
        if isinstance(then, ExtendedReal) and isinstance(otherwise, ExtendedReal):
            return ExtendedReal(
                z3.If(asked, then.value, otherwise.value), z3.If(asked, then.banned, otherwise.banned)
            )
        return z3.If(asked, then, otherwise)

    def exp(self, exponent: Logit) -> Real:
        return z3.If(exponent.banned, z3.RealVal(0, self.context), self._exp(exponent.value))

    def finite(self, logit: Logit) -> Bool:
        return z3.Not(logit.banned)

    def every_token(self, size: Int, condition: Callable[..., Bool]) -> Bool:
        bound, inside = self._tokens(size, condition)
        return z3.ForAll(bound, z3.Implies(inside, self.truth(condition(*bound))))

    def some_token(self, size: Int, condition: Callable[[Int], Bool]) -> Bool:
        bound, inside = self._tokens(size, condition)
        return z3.Exists(bound, z3.And(inside, self.truth(condition(*bound))))

    def _tokens(self, size: Int, condition: Callable[..., Bool]) -> tuple[list[Any], Any]:
        names = condition.__code__.co_varnames[: condition.__code__.co_argcount]
        bound = [z3.Int(name, self.context) for name in names]
        return bound, z3.And([z3.And(token >= 0, token < size) for token in bound])

    def exp_is_increasing(self) -> Bool:
        a, b = z3.Reals("a b", self.context)
        exp = self._exp
        return z3.And(
            z3.ForAll([a, b], (a < b) == (exp(a) < exp(b)), patterns=[z3.MultiPattern(exp(a), exp(b))]),
            z3.ForAll([a], exp(a) > 0, patterns=[exp(a)]),
            exp(z3.RealVal(0, self.context)) == 1,
        )

    def exp_turns_differences_into_ratios(self, a: Logit, b: Logit) -> Bool:
        return self._exp(a.value - b.value) * self._exp(b.value) == self._exp(a.value)


class ExactRows(Floats):
    """Executes on rationals, with 2 as the base of the exponential, so that nothing is rounded."""

    def exp(self, exponent: Logit) -> Real:
        return Fraction(0) if exponent == BANNED else Fraction(2) ** exponent

    def all_of(self, *conditions: Bool) -> Bool:
        return all(conditions)

    def negate(self, condition: Bool) -> Bool:
        return not condition

    def implies(self, premise: Bool, conclusion: Bool) -> Bool:
        return conclusion if premise else True

    def same(self, left: Bool, right: Bool) -> Bool:
        return bool(left) == bool(right)

    def finite(self, logit: Logit) -> Bool:
        return logit != BANNED

    def every_token(self, size: Int, condition: Callable[..., Bool]) -> Bool:
        return all(condition(*point) for point in product(range(size), repeat=condition.__code__.co_argcount))

    def some_token(self, size: Int, condition: Callable[[Int], Bool]) -> Bool:
        return any(condition(token) for token in range(size))

    def exp_is_increasing(self) -> Bool:
        return True

    def exp_turns_differences_into_ratios(self, a: Logit, b: Logit) -> Bool:
        return self.exp(a - b) * self.exp(b) == self.exp(a)


EXACT = ExactRows()
