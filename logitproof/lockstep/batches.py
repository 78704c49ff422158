"""The order in which histories are drawn: in batches, each with a seed of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from logitproof.spec import Dialect

LARGEST_BATCH = 8
"""Histories per run of hypothesis. From ten on it plays small ones for a tenth of the time, and then every history five
times over with little changed, which finds faults in a batch several times more slowly.
"""


@dataclass(frozen=True, slots=True)
class Batch:
    """Histories that hypothesis draws in one run."""

    number: int
    """Its place in the whole sequence, from 0."""
    seed: str
    dialect: Dialect
    dtype: str
    size: int
    is_first: bool
    """Of its dialect."""


def batches(
    seed: int, dialects: Sequence[Dialect], dtypes: Sequence[str], max_examples: int
) -> Iterator[Batch]:
    """Batches of every dialect in turn: a fault that one hides must not wait until that one's budget is spent.

    `redundant` comes after the others. A fault that they show too is one of today, and must not be called latent.
    """
    real = [dialect for dialect in dialects if dialect is not Dialect.REDUNDANT]
    last = [dialect for dialect in dialects if dialect is Dialect.REDUNDANT]
    place = 0
    for together in (real, last):
        played = number = 0
        while played < max_examples:
            # The first is the simplest history alone. Small ones next: most faults need only a few.
            size = min(1 if number < 2 else 1 << number - 1, LARGEST_BATCH, max_examples - played)
            for dialect in together:
                # Every batch has a seed of its own, so that the dialects do not play the same histories.
                own = f"{seed} {dialect.value} {number}"
                yield Batch(place, own, dialect, dtypes[number % len(dtypes)], size, number == 0)
                place += 1
            played += size
            number += 1
