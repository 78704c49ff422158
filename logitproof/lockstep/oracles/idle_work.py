"""Tensors made and waits of the host in steps in which nobody asks the processor for anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import torch

from ..finding import Figure, Finding, Severity
from ..lived import Lived
from ..observation import Observation

if TYPE_CHECKING:
    from ..stretch import Stretch


class IdleWork:
    """D3, a warning with figures: every engine step pays for it, whether or not the feature is used.

    Measured where the batch was plain before and is plain now, with or without an update. A processor that was seen to
    change a plain row acts on every request, and is not idle.
    """

    code: ClassVar[str] = "idle-work"
    laws: ClassVar[tuple[str, ...]] = ("D3",)
    sentence: ClassVar[str] = "no request uses the processor, and it makes tensors or waits for the device"

    def __init__(self) -> None:
        self._acts_on_all = False
        self._met: Finding | None = None

    def is_silent(self, stretch: Stretch) -> bool:
        if stretch.second is None or self._acts_on_all:
            return True
        if any(played.work and (played.work.made or played.work.syncs) for played in stretch.steps):
            return False
        idle = [stretch.rows(played) for played in stretch.applied if all(played.plan.plain)]
        return all(torch.equal(stretch.returned[rows], stretch.given[rows]) for rows in idle)

    def judge(self, seen: Observation) -> Iterator[Finding]:
        yield from ()
        if not seen.requests or not all(seen.plain) or self._acts_on_all:
            return
        if seen.returned is not None and seen.given is not None:
            self._acts_on_all = not torch.equal(seen.returned, seen.given)
        if seen.work is None or self._met is not None:
            return
        # What an Add reads may lie on the host on purpose, and here everything does; steps with None read the rows.
        waits = seen.work.syncs if seen.update is None else 0
        if seen.work.made or waits:
            when = "None" if seen.update is None else "requests that ask for nothing"
            what = f"nobody uses it, yet a step with an update about {when} costs this"
            counts = (("tensors made", seen.work.made), ("waits for the device", waits))
            names = ", ".join(seen.work.operations)
            figures = tuple(Figure(name, count, names) for name, count in counts if count)
            self._met = Finding(
                self.code, "D3", what, seen.number, severity=Severity.WARNING, figures=figures
            )

    def conclude(self, lived: Lived) -> Iterator[Finding]:
        if self._met is not None and not self._acts_on_all:
            yield self._met
