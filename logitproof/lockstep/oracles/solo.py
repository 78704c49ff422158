"""The solo run as a reference for any processor, and its special case for requests that ask for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import torch

from ..finding import Finding
from ..observation import Observation
from ..tolerance import SOLO, differing_rows
from .oracle import about_row

if TYPE_CHECKING:
    from ..stretch import Stretch


class Untouched:
    """D2: where even the request's solo run leaves the row alone, so must the batch."""

    code: ClassVar[str] = "untouched"
    laws: ClassVar[tuple[str, ...]] = ("D2", "D4")
    sentence: ClassVar[str] = (
        "the row of a request that does not use the processor does not come back bit-identical"
    )

    def is_silent(self, stretch: Stretch) -> bool:
        return torch.equal(stretch.returned[stretch.plain], stretch.given[stretch.plain])

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.returned is None or seen.given is None or seen.solo is None or True not in seen.plain:
            return
        if torch.equal(seen.returned, seen.solo):
            return
        for row, asks_nothing in enumerate(seen.plain):
            given = seen.given[row]
            if (
                asks_nothing
                and torch.equal(seen.solo[row], given)
                and not torch.equal(seen.returned[row], given)
            ):
                yield about_row(self, seen, row, "asks for nothing, yet was changed", given)


class Solo:
    """D4: own instance, batch of one, never moved, fed None."""

    code: ClassVar[str] = "solo"
    laws: ClassVar[tuple[str, ...]] = ("D4", "C1", "C4", "C6")
    sentence: ClassVar[str] = (
        "a row differs from what the request gets when it is alone in a batch of one and never moves"
    )

    def is_silent(self, stretch: Stretch) -> bool:
        return not differing_rows(stretch.returned, stretch.solo, SOLO)

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.returned is None or seen.solo is None:
            return
        for row in differing_rows(seen.returned, seen.solo, SOLO):
            if row in seen.waiting:
                continue  # `late` knows what may be asked of it
            yield about_row(self, seen, row, "differs from its solo run", seen.solo[row])
