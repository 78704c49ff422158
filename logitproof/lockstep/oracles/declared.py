"""What a processor says about itself, and what it should not do when nobody asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..finding import Finding, Severity
from ..observation import Observation
from .oracle import about_row


class HonestArgmax:
    """D5. Of several equally high tokens any may win before; after, the winner must be one of them."""

    code: ClassVar[str] = "argmax"
    laws: ClassVar[tuple[str, ...]] = ("D5", "E4")
    sentence: ClassVar[str] = "the processor declares itself argmax-invariant, and a row's best token changes"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if not seen.claims_argmax or seen.returned is None or seen.given is None or not len(seen.given):
            return
        best = seen.given.amax(dim=1)
        chosen = seen.given.gather(1, seen.returned.argmax(dim=1, keepdim=True)).squeeze(1)
        for row in (chosen < best).nonzero().flatten().tolist():
            yield about_row(self, seen, row, "has another best token, against the claim", seen.given[row])


class IdentityWhenIdle:
    """D3, a warning: the values are right, the copy is waste."""

    code: ClassVar[str] = "identity"
    laws: ClassVar[tuple[str, ...]] = ("D3",)
    sentence: ClassVar[str] = (
        "no request uses the processor, and `apply` returns another tensor than it was given"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.returned is not None and seen.returned is not seen.passed and all(seen.plain):
            what = "no request uses the processor, yet apply returned another tensor than it was given"
            yield Finding(self.code, "D3", what, seen.number, severity=Severity.WARNING)
