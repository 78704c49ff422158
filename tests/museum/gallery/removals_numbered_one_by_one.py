"""F017 dispatch: an engine collects removals with the row number each had after the one before, in one update."""

from __future__ import annotations

from dataclasses import replace

from logitproof.impl import PersistentBatch


class RemovalsNumberedOneByOne(PersistentBatch):
    def step(self, *, finished=(), new=(), swaps=()):
        update = super().step(finished=finished, new=new, swaps=swaps)
        if update is None:
            return None
        renumbered = [slot - before for before, slot in enumerate(sorted(update.removed))]
        return replace(update, removed=renumbered)
