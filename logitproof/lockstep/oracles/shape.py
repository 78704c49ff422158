"""Shape, dtype and device of what comes back, and rows that can still be sampled from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import torch

from logitproof.spec import BatchUpdate

from ..finding import Finding, Severity
from ..loans import own_copy
from ..observation import Observation
from ..watchdog import RAISED
from .oracle import about_row

if TYPE_CHECKING:
    from ..stretch import Stretch


MOST_TRIED = 3
"""Empty rows per history that are looked into."""


class Shape:
    """D1."""

    code: ClassVar[str] = "shape"
    laws: ClassVar[tuple[str, ...]] = ("D1",)
    sentence: ClassVar[str] = (
        "`apply` returns something other than a tensor of the shape, dtype and device it was given"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: rows of a misfit cannot be compared, so the driver looks at the form before anybody else."""
        yield from ()

    @staticmethod
    def finding(fault: str, step: int, where: str = "") -> Finding:
        """fault: from `misfit`. where: "in the solo run of B "."""
        return Finding(Shape.code, "D1", f"{where}apply returned {fault}", step)


def misfit(given: torch.Tensor, returned: object) -> str | None:
    """What is wrong with the form of a result, or None."""
    if not isinstance(returned, torch.Tensor):
        return f"a {type(returned).__name__}, not a tensor"
    if returned.shape == given.shape and returned.dtype is given.dtype and returned.device == given.device:
        return None
    for name in ("shape", "dtype", "device"):
        got, wanted = getattr(returned, name), getattr(given, name)
        if got != wanted:
            got, wanted = (tuple(got), tuple(wanted)) if name == "shape" else (got, wanted)
            return f"{name} {got} for logits of {name} {wanted}"
    return None


class NoEmptiedRow:
    """D8; a warning where the row came with banned tokens, or was asked for what is only a guess and is so alone too.

    In the first case two processors ask for what cannot both be: without the ban something is left. In the second a
    value was guessed that forbids everything, perhaps; if other logits are not emptied by it, it does not.
    """

    code: ClassVar[str] = "nonfinite"
    laws: ClassVar[tuple[str, ...]] = ("D8",)
    sentence: ClassVar[str] = "a row loses its last finite logit, or a NaN appears"

    def __init__(self) -> None:
        self._tried = 0
        self._last: str | None = None

    def is_silent(self, stretch: Stretch) -> bool:
        # amax is finite in nearly every row, and then it is not empty and no NaN is there: one kernel instead of five.
        return not len(stretch.returned) or bool(stretch.returned.amax(dim=1).isfinite().all())

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.returned is None or seen.given is None or not len(seen.returned):
            return
        for row, (before, after) in enumerate(zip(seen.given, seen.returned, strict=True)):
            if bool(after.isnan().any()) and not bool(before.isnan().any()):
                yield about_row(self, seen, row, "holds a NaN that was not there")
            elif not bool(after.isfinite().any()) and bool(before.isfinite().any()):
                what, excuse = "has no finite logit left: nothing can be sampled from it", None
                if self._tried < MOST_TRIED:
                    self._tried += 1
                    excuse = _excuse(seen, row)
                else:  # as before: nearly always the same request
                    excuse = self._last
                self._last = excuse
                severity = Severity.WARNING if excuse else Severity.FAULT
                what += excuse or ""
                yield about_row(self, seen, row, what, severity=severity)


def _excuse(seen: Observation, row: int) -> str | None:
    """Why the processor may not be to blame for an empty row, or None."""
    assert seen.given is not None
    before = seen.given[row : row + 1]
    full = before.masked_fill(before.isneginf(), 0.0)
    if bool(before.isneginf().any()) and not _is_emptied(seen, row, full):
        return ", since what it allows was banned already"
    if not seen.is_guessed or seen.solo is None or bool(seen.solo[row].isfinite().any()):
        return None
    if all(_is_emptied(seen, row, other) for other in (-full, full.flip(1), full.roll(1, 1))):
        return "; what it was asked for is a guess, see requests"
    return None


def _is_emptied(seen: Observation, row: int, given: torch.Tensor) -> bool:
    """Whether a fresh instance, told of this request only, leaves nothing of these logits: tensor (1, vocab)."""
    request = seen.requests[row]
    prompt = None if request.prompt_token_ids is None else list(request.prompt_token_ids)
    added = [(0, own_copy(request.params), prompt, list(request.output_token_ids))]
    try:
        fresh = seen.make()
        fresh.update_state(BatchUpdate(1, [], added, []))
        return not bool(fresh.apply(given.clone()).isfinite().any())
    except RAISED:  # others speak of that
        return True
