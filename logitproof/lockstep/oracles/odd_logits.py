"""Logits of an unusual form: none at all, or columns of a wider buffer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..finding import Finding
from ..observation import Observation


class OddLogits:
    """D1, a warning after a clean campaign: engines rarely pass either, and nothing in a log says when one does."""

    code: ClassVar[str] = "odd-logits"
    laws: ClassVar[tuple[str, ...]] = ("D1",)
    sentence: ClassVar[str] = (
        "logits without rows make it raise, or logits that are columns of a wider buffer come back otherwise"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: a campaign that ends clean asks `odd_logits`."""
        yield from ()
