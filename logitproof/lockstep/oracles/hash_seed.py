"""Two processes with another hash seed each do the same: otherwise two ranks sample different tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..finding import Finding
from ..observation import Observation


class HashSeed:
    """D4 for what `copies` cannot see, since two instances in one process agree about `hash()` of text."""

    code: ClassVar[str] = "hash-seed"
    laws: ClassVar[tuple[str, ...]] = ("D4",)
    sentence: ClassVar[str] = "in a process with another hash seed, told the same, it returns something else"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: a campaign that ends clean asks `other_hash_seeds`."""
        yield from ()
