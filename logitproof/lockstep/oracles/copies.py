"""Two instances that are told the same do the same, bit for bit: otherwise two ranks sample different tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import torch

from ..finding import Finding
from ..observation import Observation
from .oracle import about_row
from .shape import misfit

if TYPE_CHECKING:
    from ..stretch import Stretch


class Copies:
    """D4 without tolerance: same batch, same kernels, so nothing but hidden inputs can make a difference.

    Hidden inputs are random numbers of a global generator, the clock, `id()`, and state that instances share.
    """

    code: ClassVar[str] = "copies"
    laws: ClassVar[tuple[str, ...]] = ("D4",)
    sentence: ClassVar[str] = (
        "a second instance, told the same and given the same logits, returns something else"
    )

    def is_silent(self, stretch: Stretch) -> bool:
        second = stretch.seconded
        return torch.equal(stretch.returned[: len(second)], second) and not any(
            played.second_error for played in stretch.steps
        )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.second_error is not None:
            error = seen.second_error
            what = f"a second instance, told the same, raised {type(error).__name__}: {error}"
            yield Finding(self.code, "D4", what, seen.number)
        if seen.second is None or seen.returned is None or seen.given is None:
            return
        if misfit(seen.given, seen.second) or torch.equal(seen.returned, seen.second):
            return  # `shape` speaks of a misfit when the batch shows it
        differs = (seen.returned != seen.second) & ~(seen.returned.isnan() & seen.second.isnan())
        for row in differs.any(dim=1).nonzero().flatten().tolist():
            yield about_row(self, seen, row, "differs from a second instance told the same", seen.second[row])
