"""What a processor says about itself, and what it should not do when nobody asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import torch

from ..finding import Finding, Severity
from ..observation import Observation
from .oracle import about_row

if TYPE_CHECKING:
    from ..stretch import Stretch


class HonestArgmax:
    """D5. Of several equally high tokens any may win before; after, the winner must be one of them."""

    code: ClassVar[str] = "argmax"
    laws: ClassVar[tuple[str, ...]] = ("D5", "E4")
    sentence: ClassVar[str] = "the processor declares itself argmax-invariant, and a row's best token changes"

    def is_silent(self, stretch: Stretch) -> bool:
        if not stretch.claims_argmax or not len(stretch.given):
            return True
        return not len(_with_another_best(stretch.given, stretch.returned))

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if not seen.claims_argmax or seen.returned is None or seen.given is None or not len(seen.given):
            return
        for row in _with_another_best(seen.given, seen.returned).tolist():
            yield about_row(self, seen, row, "has another best token, against the claim", seen.given[row])


def _with_another_best(given: torch.Tensor, returned: torch.Tensor) -> torch.Tensor:
    """int64 tensor (rows,): those whose best token afterwards was not among the best before."""
    best = given.amax(dim=1)
    chosen = given.gather(1, returned.argmax(dim=1, keepdim=True)).squeeze(1)
    return (chosen < best).nonzero().flatten()


class IdentityWhenIdle:
    """D3, a warning: the values are right, the copy is waste."""

    code: ClassVar[str] = "identity"
    laws: ClassVar[tuple[str, ...]] = ("D3",)
    sentence: ClassVar[str] = (
        "no request uses the processor, and `apply` returns another tensor than it was given"
    )

    def is_silent(self, stretch: Stretch) -> bool:
        return not any(
            all(played.plan.plain) and not stretch.first.in_place(played.position)
            for played in stretch.steps
            if played.position is not None
        )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.returned is not None and seen.returned is not seen.passed and all(seen.plain):
            what = "no request uses the processor, yet apply returned another tensor than it was given"
            yield Finding(self.code, "D3", what, seen.number, severity=Severity.WARNING)
