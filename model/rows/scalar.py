"""The small language of the per-token kernels: straight-line, run with floats, proved about with z3 reals.

A kernel receives the reading `K`, one logit and what the whole row says about it (its highest logit, how many are
higher, …). Loops over the row stay in Python, outside the kernel. Logits understand `+ - * / < <= > >= ==` in every
reading, and arithmetic with finite numbers leaves a banned logit banned, so only what Python cannot overload is here.
"""

from __future__ import annotations

import math
from typing import Any, Protocol, TypeAlias

from logitproof.spec.algebra import Bool

from .reference import BANNED

Logit: TypeAlias = Any
"""A real number, or banned (minus infinity)."""
Real: TypeAlias = Any


class Scalar(Protocol):
    """One reading of the kernels."""

    @property
    def banned(self) -> Logit:
        """The logit of a token that must not be sampled."""

    def choose(self, condition: Bool, then: Any, otherwise: Any) -> Any:
        """`then` where the condition holds, else `otherwise`."""

    def any_of(self, *conditions: Bool) -> Bool:
        """Disjunction."""

    def exp(self, exponent: Logit) -> Real:
        """The exponential; 0 of a banned logit."""


class Floats:
    """The reading that runs: float64."""

    banned = BANNED

    def choose(self, condition: Bool, then: Any, otherwise: Any) -> Any:
        return then if condition else otherwise

    def any_of(self, *conditions: Bool) -> Bool:
        return any(conditions)

    def exp(self, exponent: Logit) -> Real:
        return math.exp(exponent)


FLOATS = Floats()
