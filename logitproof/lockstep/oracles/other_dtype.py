"""Logits of another dtype than the campaign's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..finding import Finding
from ..observation import Observation


class OtherDtype:
    """D1, a warning after a clean campaign. Many engines hand over float32 only; with `--dtype all` it is a fault."""

    code: ClassVar[str] = "dtype"
    laws: ClassVar[tuple[str, ...]] = ("D1",)
    sentence: ClassVar[str] = (
        "with logits of another dtype it raises, or returns another dtype than it was given"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: a campaign that ends clean asks `other_dtypes`."""
        yield from ()
