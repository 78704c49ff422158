"""A fresh instance that is only told who is there now must act like the one that lived through it all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import torch

from ..finding import Finding
from ..observation import Observation
from ..tolerance import SOLO, differing_rows
from .oracle import about_row
from .shape import misfit

if TYPE_CHECKING:
    from ..stretch import Stretch


class Rebuild:
    """The strongest oracle for state that was kept, lost or not rebuilt on resume. `rebuilt.py` makes the instance."""

    code: ClassVar[str] = "rebuild"
    laws: ClassVar[tuple[str, ...]] = ("D4", "C1", "C5", "C6")
    sentence: ClassVar[str] = (
        "a fresh instance, given only Adds at the current slots, treats a row differently"
    )

    def is_silent(self, stretch: Stretch) -> bool:
        due = [played for played in stretch.applied if played.rebuilt is not None]
        if not due:
            return True
        rebuilt = [played.rebuilt for played in due if isinstance(played.rebuilt, torch.Tensor)]
        rows = [stretch.returned[stretch.rows(played)] for played in due]
        if len(rebuilt) < len(rows) or any(misfit(*pair) for pair in zip(rows, rebuilt, strict=True)):
            return False
        return not differing_rows(torch.cat(rows), torch.cat(rebuilt), SOLO)

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.rebuilt is None or seen.returned is None or seen.given is None:
            return
        if isinstance(seen.rebuilt, Finding):
            yield seen.rebuilt
            return
        if misfit(seen.given, seen.rebuilt):
            return  # `shape` speaks of it when the batch does it
        for row in differing_rows(seen.returned, seen.rebuilt, SOLO):
            yield about_row(
                self, seen, row, "differs from a fresh instance told only who is there now", seen.rebuilt[row]
            )
