"""A call that does not come back: the driver's alarm ends it, since nobody can look at a step that did not end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..finding import Finding
from ..observation import Observation


class Hang:
    """Any call of the processor that takes longer than the time limit."""

    code: ClassVar[str] = "hang"
    laws: ClassVar[tuple[str, ...]] = ("D1", "C4", "D7")
    sentence: ClassVar[str] = "a call of the processor does not return within ten seconds"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: a step that can be observed has ended."""
        yield from ()

    @staticmethod
    def finding(method: str, where: str, said: str, step: int) -> Finding:
        """method, where: as for `Crash`. said: completes "apply of the batch …"."""
        return Finding(Hang.code, "", f"{method} of {where} {said}", step)
