"""Shape, dtype and device of what comes back, and rows that can still be sampled from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import torch

from ..finding import Finding
from ..observation import Observation
from .oracle import about_row


class Shape:
    """D1."""

    code: ClassVar[str] = "shape"
    laws: ClassVar[tuple[str, ...]] = ("D1",)
    sentence: ClassVar[str] = (
        "`apply` returns something other than a tensor of the shape, dtype and device it was given"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.given is None:
            return
        if fault := misfit(seen.given, seen.returned):
            yield Finding(self.code, "D1", f"apply returned {fault}", seen.number)


def misfit(given: torch.Tensor, returned: object) -> str | None:
    """What is wrong with the form of a result, or None."""
    if not isinstance(returned, torch.Tensor):
        return f"a {type(returned).__name__}, not a tensor"
    for name in ("shape", "dtype", "device"):
        got, wanted = getattr(returned, name), getattr(given, name)
        if got != wanted:
            got, wanted = (tuple(got), tuple(wanted)) if name == "shape" else (got, wanted)
            return f"{name} {got} for logits of {name} {wanted}"
    return None


class NoEmptiedRow:
    """D8."""

    code: ClassVar[str] = "nonfinite"
    laws: ClassVar[tuple[str, ...]] = ("D8",)
    sentence: ClassVar[str] = "a row loses its last finite logit, or a NaN appears"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.returned is None or seen.given is None or not len(seen.returned):
            return
        # amax is finite in nearly every step, and then no row is empty and no NaN is there: one kernel instead of five.
        highest = seen.returned.amax(dim=1)
        if bool(highest.isfinite().all()):
            return
        for row, (before, after) in enumerate(zip(seen.given, seen.returned, strict=True)):
            if bool(after.isnan().any()) and not bool(before.isnan().any()):
                yield about_row(self, seen, row, "holds a NaN that was not there")
            elif not bool(after.isfinite().any()) and bool(before.isfinite().any()):
                yield about_row(self, seen, row, "has no finite logit left: nothing can be sampled from it")
