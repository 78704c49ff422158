"""A fresh instance that is only told who is there now must act like the one that lived through it all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from logitproof.spec import BatchUpdate

from ..finding import Finding
from ..observation import Observation
from ..tolerance import SOLO, differing_rows
from .crash import Crash
from .oracle import about_row
from .shape import misfit


class Rebuild:
    """The strongest oracle for state that was kept, lost or not rebuilt on resume."""

    code: ClassVar[str] = "rebuild"
    laws: ClassVar[tuple[str, ...]] = ("D4", "C1", "C5", "C6")
    sentence: ClassVar[str] = (
        "a fresh instance, given only Adds at the current slots, treats a row differently"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if not seen.rebuild_due or seen.returned is None or seen.given is None:
            return
        fresh = seen.make()
        added = [
            (slot, request.params, request.prompt_token_ids, request.output_token_ids)
            for slot, request in enumerate(seen.requests)
        ]
        method = "update_state"
        try:
            fresh.update_state(BatchUpdate(len(added), [], added, []))
            method = "apply"
            rebuilt = fresh.apply(seen.given.clone())
        except Exception as error:
            yield Crash.finding(method, "a fresh instance, given Adds only,", error, seen.number)
            return
        if misfit(seen.given, rebuilt):
            return  # `shape` speaks of it when the batch does it
        for row in differing_rows(seen.returned, rebuilt, SOLO):
            yield about_row(
                self, seen, row, "differs from a fresh instance told only who is there now", rebuilt[row]
            )
