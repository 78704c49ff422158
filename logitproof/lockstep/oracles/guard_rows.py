"""The logits are a view into a larger buffer, as in an engine; the rows before and after it belong to somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import torch

from ..finding import Finding
from ..observation import Observation

if TYPE_CHECKING:
    from ..stretch import Stretch


class GuardRows:
    """D1, for memory that no row of the batch shows. Rows only: a correct `logits.view(-1)` needs full columns."""

    code: ClassVar[str] = "guard"
    laws: ClassVar[tuple[str, ...]] = ("D1", "D4")
    sentence: ClassVar[str] = "`apply` writes to memory before or after the logits that it was given"

    def is_silent(self, stretch: Stretch) -> bool:
        return stretch.first.fences_stand()

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.around is None or seen.fence is None:
            return
        for place, rows in zip(("before", "after"), seen.around, strict=True):
            if not torch.equal(rows, seen.fence[: len(rows)]):
                changed = int((rows != seen.fence[: len(rows)]).sum())
                what = (
                    f"apply wrote to {changed} cells {place} the {len(seen.requests)} rows that it was given"
                )
                yield Finding(self.code, "D1", what, seen.number)
