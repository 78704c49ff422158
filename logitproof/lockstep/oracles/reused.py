"""What `apply` returned belongs to the engine from then on, as what it was given does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from ..finding import Finding, Severity
from ..observation import Observation

if TYPE_CHECKING:
    from ..stretch import Stretch


class Reused:
    """D1: an engine may still read last step's logits, for logprobs or an asynchronous copy, when the next step begins.

    Written into the tensor that the engine gave: a fault. Into a buffer of the processor's own that it had returned: a
    warning, since it matters only to an engine that overlaps steps.
    """

    code: ClassVar[str] = "reused"
    laws: ClassVar[tuple[str, ...]] = ("D1", "D4")
    sentence: ClassVar[str] = "a tensor that `apply` returned in one step is written to in the next"

    def is_silent(self, stretch: Stretch) -> bool:
        return not any(stretch.first.overwritten(position) for position in range(stretch.first.kept))

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.overwritten:
            whose = "the engine's logits of" if seen.lent else "the tensor that it returned in"
            severity = Severity.FAULT if seen.lent else Severity.WARNING
            what = f"{whose} the step before was written to: {seen.overwritten} cells"
            yield Finding(self.code, "D1", what, seen.number, severity=severity)
