"""Asynchronous scheduling: the newest tokens are not there yet, and their places in the output list hold -1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from logitproof.spec import BatchUpdate

from ..finding import Finding, Severity
from ..observation import Observation
from ..tolerance import SOLO, differing_rows
from .crash import Crash
from .oracle import about_row
from .shape import misfit

if TYPE_CHECKING:
    from ..stretch import Stretch


class Late:
    """D4 with a list that lags behind. What is right:

    - Once every placeholder is patched, the row equals the on-time run: a solo run whose list was always complete.
      (`solo` and `reference` say so.)
    - While a placeholder stands in the list, the row equals the on-time run too, if the processor reads only lengths,
      or keeps its own progress. A row that differs from it, but equals what a fresh instance makes of the tokens that
      have arrived, is a warning: the request is treated as it should have been some steps ago, which no processor
      that reads values can help.
    - Any other row is a fault: a placeholder was taken for a token.

    Only with `--hazards +async`. A processor that does not support it says `logitproof_unsupported = {"async"}`.
    """

    code: ClassVar[str] = "late"
    laws: ClassVar[tuple[str, ...]] = ("D4", "C5")
    sentence: ClassVar[str] = (
        "output lists end in placeholders (-1), and a row is neither the on-time one nor what the known tokens call for"
    )

    def is_silent(self, stretch: Stretch) -> bool:
        return not stretch.world.lag or not differing_rows(stretch.returned, stretch.solo, SOLO)

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if not seen.waiting or seen.returned is None or seen.given is None or seen.solo is None:
            return
        differing = [row for row in differing_rows(seen.returned, seen.solo, SOLO) if row in seen.waiting]
        if not differing:
            return
        added = [
            (slot, request.params, request.prompt_token_ids, seen.waiting.get(slot, request.output_token_ids))
            for slot, request in enumerate(seen.on_time)
        ]
        fresh = seen.make()
        method = "update_state"
        try:
            fresh.update_state(BatchUpdate(len(added), [], added, []))
            method = "apply"
            known = fresh.apply(seen.given.clone())
        except Exception as error:
            yield Crash.finding(method, "a fresh instance, given Adds only,", error, seen.number)
            return
        if misfit(seen.given, known):
            return  # `shape` speaks of it when the batch does it
        wrong = {*differing_rows(seen.returned, known, SOLO)}
        for row in differing:
            if row in wrong:
                what = (
                    "is neither its on-time run nor what its known tokens call for: a placeholder (-1) counts"
                )
                yield about_row(self, seen, row, what, seen.solo[row])
            else:
                what = "reads token values, so it is late under asynchronous scheduling"
                yield about_row(self, seen, row, what, seen.solo[row], Severity.WARNING)
