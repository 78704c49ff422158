"""The small language in which rules and invariants are written once and read three ways.

A rule or an invariant receives an `Algebra`. Read with Python ints and maps it executes (`logitproof.model`); read
with z3 terms it is a formula, with quantifiers (proofs) or expanded over a finite scope (refutations). Integers
understand `+ - < <= == !=` in every reading, so only what Python cannot overload is here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

# A term's type depends on the reading (int or z3 expression), and z3 comparisons do not return bool: no static type
# fits all readings, so these names document sorts rather than check them.
Int: TypeAlias = Any
Bool: TypeAlias = Any
Map: TypeAlias = Any
"""A total function from integers, immutable: `put` returns a new one."""

EMPTY = -1
"""What a slot without a request holds. Requests are numbered from 0."""
NOWHERE = -1
"""Where a request outside the batch is. Slots are numbered from 0."""


class Algebra(Protocol):
    """One reading of rules and invariants."""

    def all_of(self, *conditions: Bool) -> Bool:
        """Conjunction."""

    def any_of(self, *conditions: Bool) -> Bool:
        """Disjunction."""

    def negate(self, condition: Bool) -> Bool:
        """Negation."""

    def implies(self, premise: Bool, conclusion: Bool) -> Bool:
        """Implication."""

    def same(self, left: Bool, right: Bool) -> Bool:
        """Equivalence of two conditions."""

    def choose(self, condition: Bool, then: Any, otherwise: Any) -> Any:
        """`then` where the condition holds, else `otherwise`."""

    def at(self, mapping: Map, key: Int) -> Any:
        """The map's value at `key`."""

    def put(self, mapping: Map, key: Int, value: Any) -> Map:
        """The map that differs from `mapping` at `key` only."""

    def everywhere(self, value: int | bool) -> Map:
        """The constant map."""

    def every_slot(self, condition: Callable[..., Bool]) -> Bool:
        """Whether the condition holds for every slot index (every pair, if it takes two)."""

    def every_request(self, condition: Callable[..., Bool]) -> Bool:
        """Whether the condition holds for every request number >= 0."""

    def every_ordinal(self, condition: Callable[..., Bool]) -> Bool:
        """Whether the condition holds for every position >= 0 in a sequence of arrivals, moves or swaps."""
