"""One row of any vocabulary, with what features ask about each token and what counting and adding up say of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import z3

from logitproof.model.rows.scalar import Logit, Real
from logitproof.spec.algebra import Bool, Int

from .reading import ExtendedReal, RowReading, SymbolicRows

OfToken: TypeAlias = Callable[[Int], Any]
LogitOf: TypeAlias = OfToken
RealOf: TypeAlias = OfToken
IntOf: TypeAlias = OfToken
FlagOf: TypeAlias = OfToken
"""Functions from token ids; `fresh` reads off these names what a field ranges over."""


@dataclass(frozen=True, slots=True)
class Row:
    """An arbitrary row. The second half are ghosts: what is true of them is assumed in words of counting and adding,
    and every concrete row that executes a statement has real counts and sums there.
    """

    size: Int
    logit: LogitOf
    listed: FlagOf
    forbidden: FlagOf
    stops: FlagOf
    bias: RealOf
    seen: FlagOf
    count: IntOf
    repetition: Real
    frequency: Real
    presence: Real
    temperature: Real
    min_p: Real
    k: Int
    p: Real
    newest: Int
    top: Int
    log_min_p: Logit
    higher: IntOf
    higher_among_cooled: IntOf
    higher_among_likely: IntOf
    share: RealOf
    total: Real
    likelier: RealOf
    recount: IntOf
    edge: Int
    below: Int
    at_edge_or_higher: Int
    share_at_edge_or_higher: Real


def fresh(L: SymbolicRows) -> Row:
    """A row of unconstrained z3 terms, named after its fields; every logit that is no function is finite."""
    return Row(**{declared.name: _term(L, declared.name, str(declared.type)) for declared in fields(Row)})


def _term(L: SymbolicRows, name: str, ranges_over: str) -> Any:
    real, integer, flag = (sort(L.context) for sort in (z3.RealSort, z3.IntSort, z3.BoolSort))
    match ranges_over:
        case "Int":
            return z3.Const(name, integer)
        case "Real":
            return z3.Const(name, real)
        case "Logit":
            return ExtendedReal(z3.Const(name, real), z3.BoolVal(False, L.context))
        case "LogitOf":
            value, banned = z3.Function(name, integer, real), z3.Function(f"{name} is banned", integer, flag)

            def logit_of(token: Int) -> Logit:
                return ExtendedReal(value(token), banned(token))

            return logit_of
    symbol = z3.Function(name, integer, {"RealOf": real, "IntOf": integer, "FlagOf": flag}[ranges_over])

    def value_of(token: Int) -> Any:
        return symbol(token)

    return value_of


def has_argmax(L: RowReading, s: Row, logit: OfToken) -> Bool:
    """`top` is the argmax of these logits: finite, none higher, and of those tied with it the lowest id."""
    top = logit(s.top)
    beaten = L.every_token(s.size, lambda t: L.any_of(logit(t) < top, L.all_of(logit(t) == top, t >= s.top)))
    return L.all_of(s.top >= 0, s.top < s.size, L.finite(top), beaten)


def sampleable(L: RowReading, s: Row) -> list[Bool]:
    """The row has a finite logit, and `top` is its argmax."""
    return [has_argmax(L, s, s.logit)]


def counted(L: RowReading, s: Row) -> list[Bool]:
    """`higher` says of each token how many tokens have a higher logit: what follows from counting."""
    return [
        L.every_token(s.size, lambda t: L.all_of(s.higher(t) >= 0, s.higher(t) < s.size)),
        L.every_token(s.size, lambda t: L.implies(s.logit(t) == s.logit(s.top), s.higher(t) == 0)),
        L.every_token(s.size, lambda t, u: L.implies(s.logit(t) == s.logit(u), s.higher(t) == s.higher(u))),
        L.every_token(s.size, lambda t, u: L.implies(s.logit(t) < s.logit(u), s.higher(u) < s.higher(t))),
    ]


def added_up(L: RowReading, s: Row) -> list[Bool]:
    """`share` is each token's probability, `likelier` that of all tokens above it: what follows from adding."""
    return [
        L.every_token(
            s.size, lambda t: L.all_of(s.share(t) >= 0, L.same(s.share(t) > 0, L.finite(s.logit(t))))
        ),
        L.every_token(s.size, lambda t: L.all_of(s.likelier(t) >= 0, s.likelier(t) + s.share(t) <= 1)),
        L.every_token(s.size, lambda t: L.implies(s.logit(t) == s.logit(s.top), s.likelier(t) == 0)),
        L.every_token(
            s.size,
            lambda t, u: L.implies(s.logit(t) < s.logit(u), s.likelier(t) >= s.likelier(u) + s.share(u)),
        ),
    ]


def positive(L: RowReading, s: Row) -> list[Bool]:
    """The ranges of the parameters that a request may have."""
    return [
        *(s.temperature > 0, s.repetition > 0, s.min_p > 0, s.min_p <= 1, s.k >= 1, s.p > 0, s.p <= 1),
        L.every_token(s.size, lambda t: s.count(t) >= 0),
        L.every_token(s.size, lambda t: L.implies(s.count(t) > 0, s.seen(t))),
    ]
