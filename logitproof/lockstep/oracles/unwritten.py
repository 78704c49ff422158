"""Params and token lists belong to the engine: a processor reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from ..finding import Finding
from ..lived import Lived
from ..observation import Observation

if TYPE_CHECKING:
    from ..stretch import Stretch


class Unwritten:
    """D4: requests share params and prompts, so what is written into them is another request's history."""

    code: ClassVar[str] = "written"
    laws: ClassVar[tuple[str, ...]] = ("D4", "C5")
    sentence: ClassVar[str] = "params, a prompt or an output list are not as the engine left them"

    def is_silent(self, stretch: Stretch) -> bool:
        """Always: asked only about the whole."""
        return True

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: compared when a request ends, and at the end of a history."""
        yield from ()

    def conclude(self, lived: Lived) -> Iterator[Finding]:
        changed = [*lived.loans.written]
        for request in lived.requests:
            changed += lived.loans.changes(request)
        if changed:
            yield self.finding(changed[0], lived.steps)

    @classmethod
    def finding(cls, what: str, number: int) -> Finding:
        """what: the field that was found changed, and whose. number: of the step."""
        said = f"the processor changed {what}, which belongs to the engine and may be shared"
        return Finding(cls.code, "D4", said, number)
