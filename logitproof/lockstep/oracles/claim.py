"""What `is_argmax_invariant` says: a bool, and the same whenever it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from ..finding import Finding, Severity
from ..lived import Lived
from ..observation import Observation

if TYPE_CHECKING:
    from ..stretch import Stretch


class SteadyClaim:
    """D5. Engines ask once, at start-up: a claim that depends on who is there is not the one they act on."""

    code: ClassVar[str] = "claim"
    laws: ClassVar[tuple[str, ...]] = ("D5",)
    sentence: ClassVar[str] = (
        "is_argmax_invariant() says something else later than at start-up, or nothing true or false"
    )

    def is_silent(self, stretch: Stretch) -> bool:
        """Always: asked only about the whole."""
        return True

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: asked once more at the end of a history."""
        yield from ()

    def conclude(self, lived: Lived) -> Iterator[Finding]:
        if not lived.steps:
            return
        try:
            says = lived.processor.is_argmax_invariant()
        except Exception as error:
            what = f"is_argmax_invariant() raised {type(error).__name__}: {error} after {lived.steps} steps"
            yield Finding(self.code, "D5", what, lived.steps)
            return
        if bool(says) is not bool(lived.claims_argmax):
            said = lived.claims_argmax
            what = f"is_argmax_invariant() said {said!r} at start-up, where it is read, and says {says!r} now"
            yield Finding(self.code, "D5", what, lived.steps)
        elif type(says) is not bool:
            what = f"is_argmax_invariant() returns {says!r}, a {type(says).__name__}, not True or False"
            yield Finding(self.code, "D5", what, lived.steps, severity=Severity.WARNING)
