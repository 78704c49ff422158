"""Rows on which statements execute: small ones, exact, with real counts and sums in the ghosts."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, TypeVar

from logitproof.model.rows.reference import BANNED

from .reading import EXACT
from .row import OfToken, Row

ROWS = 250
"""Drawn with a fixed seed; a few dozen already reach every statement and kill every mutant that a row can kill."""
LOGITS: tuple[Any, ...] = (BANNED, Fraction(-2), Fraction(-1), Fraction(0), Fraction(1), Fraction(2))
Value = TypeVar("Value")


@cache
def exact_rows() -> tuple[Row, ...]:
    """Rows of one to four tokens, each with parameters of every kind; ties and bans are common."""
    return tuple(_drawn(Random(seed)) for seed in range(ROWS))


def _drawn(random: Random) -> Row:
    size = random.choice((1, 2, 3, 3, 4))
    logits = [random.choice(LOGITS) for _ in range(size)]
    if all(logit == BANNED for logit in logits):
        logits[0] = Fraction(0)
    default = random.random() < 0.15

    def drawn(neutral: Value, *others: Value) -> Value:
        return neutral if default else random.choice(others)

    def flags(neutral: bool) -> list[bool]:
        return [drawn(neutral, True, False) for _ in range(size)]

    outputs = [random.randrange(-1, size) for _ in range(random.randrange(4))]
    newest = random.randrange(-1, size)
    counts = [outputs.count(token) for token in range(size)]
    numbers = {
        "temperature": drawn(Fraction(1), Fraction(1, 2), Fraction(2)),
        "repetition": drawn(Fraction(1), Fraction(1, 2), Fraction(2)),
        "frequency": drawn(Fraction(0), Fraction(-1), Fraction(1)),
        "presence": drawn(Fraction(0), Fraction(-1), Fraction(1, 2), Fraction(1)),
        "log_min_p": random.choice((Fraction(0), Fraction(-1), Fraction(-2))),
        "p": drawn(Fraction(1), Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(4, 5)),
        "k": drawn(size, 1, 2, max(1, size - 1), size),
    }
    min_p = drawn(Fraction(0), EXACT.exp(numbers["log_min_p"]))
    shares = _shares(logits)
    likelier = [_sum_higher(shares, logits, logit) for logit in logits]
    edge = random.randrange(size)
    below = [token for token in range(size) if logits[token] < logits[edge]]
    return Row(
        size=size,
        logit=_of(logits),
        listed=_of(flags(True)),
        forbidden=_of(flags(False)),
        stops=_of(flags(False)),
        bias=_of([drawn(Fraction(0), Fraction(-1), Fraction(0), Fraction(2)) for _ in range(size)]),
        seen=_of([count > 0 or drawn(False, True, False) for count in counts]),
        count=_of(counts),
        newest=newest,
        recount=_of([[*outputs, newest].count(token) for token in range(size)]),
        top=logits.index(max(logits)),
        min_p=min_p,
        higher=_of(_counts_higher(logits)),
        higher_among_cooled=_of(_counts_higher([logit / numbers["temperature"] for logit in logits])),
        higher_among_likely=_of(
            _counts_higher([logit if EXACT.exp(logit - max(logits)) >= min_p else BANNED for logit in logits])
        ),
        share=_of(shares),
        total=sum(EXACT.exp(logit) for logit in logits),
        likelier=_of(likelier),
        edge=edge,
        below=max(below, key=lambda token: logits[token], default=edge),
        at_edge_or_higher=sum(logit >= logits[edge] for logit in logits),
        share_at_edge_or_higher=sum(
            s for s, logit in zip(shares, logits, strict=True) if logit >= logits[edge]
        ),
        **numbers,
    )


def _of(values: list[Any]) -> OfToken:
    def value_of(token: int) -> Any:
        return values[token]

    return value_of


def _shares(logits: list[Any]) -> list[Fraction]:
    weights = [EXACT.exp(logit) for logit in logits]
    return [weight / sum(weights) for weight in weights]


def _sum_higher(shares: list[Fraction], logits: list[Any], than: Any) -> Fraction:
    higher = (share for share, logit in zip(shares, logits, strict=True) if logit > than)
    return sum(higher, Fraction(0))


def _counts_higher(logits: list[Any]) -> list[int]:
    return [sum(other > logit for other in logits) for logit in logits]


def draw(row: Row) -> str:
    """The row as a table, and the parameters of its request."""
    heads = ("token", "logit", "listed", "forbidden", "stops", "bias", "seen", "count")
    cells = [
        (
            token,
            *(
                of(token)
                for of in (row.logit, row.listed, row.forbidden, row.stops, row.bias, row.seen, row.count)
            ),
        )
        for token in range(row.size)
    ]
    lines = ["  ".join(f"{cell!s:>9}" for cell in line) for line in (heads, *cells)]
    return "\n".join(
        [
            *lines,
            f"temperature {row.temperature}, min_p {row.min_p}, k {row.k}, p {row.p}, repetition {row.repetition}, "
            f"frequency {row.frequency}, presence {row.presence}",
        ]
    )
