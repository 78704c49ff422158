"""Whether the processor's own containers grow with every request that comes and goes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..finding import Finding
from ..lived import Lived
from ..observation import Observation
from ..reachable import sizes

LONG = 400
"""Steps of the history that is played for it, after a clean campaign. Shorter ones are not judged."""
MARKS = 4
"""Sizes are taken at the ends of so many equal parts."""
SHARE = 20
"""One entry more for so many requests that came, in every part but the first, is growth. In the first, caches fill."""


class Growth:
    """C6 for what no weak reference shows: numbers, texts and tensors kept for requests that have ended.

    Counted are entries of containers and elements of tensors that can be reached from the processor's attributes, its
    class and its module. In the history that is played for it the batch is replaced again and again, and is empty when
    sizes are taken.
    """

    code: ClassVar[str] = "growth"
    laws: ClassVar[tuple[str, ...]] = ("C6",)
    sentence: ClassVar[str] = (
        "what the processor holds grows with every request that comes and goes, without end"
    )

    def __init__(self) -> None:
        self._marks: list[tuple[int, dict[str, int]]] = []

    def is_due(self, number: int) -> bool:
        """Whether it wants to look at the step with this number, while that step is the present."""
        return number % (LONG // MARKS) == 0

    def judge(self, seen: Observation) -> Iterator[Finding]:
        yield from ()
        self._marks.append((seen.came, sizes(seen.processor)))

    def conclude(self, lived: Lived) -> Iterator[Finding]:
        if len(self._marks) < MARKS:
            return
        pairs = list(zip(self._marks, self._marks[1:], strict=False))
        for holder in self._marks[-1][1]:
            grown = [later.get(holder, 0) - earlier.get(holder, 0) for (_, earlier), (_, later) in pairs]
            came = [later - earlier for (earlier, _), (later, _) in pairs]
            if all(more * SHARE >= requests > 0 for more, requests in zip(grown, came, strict=True)):
                what = (
                    f"{holder} grows without end: by {', '.join(map(str, grown))} entries while "
                    f"{', '.join(map(str, came))} requests came and went"
                )
                yield Finding(self.code, "C6", what, lived.steps)
                return
