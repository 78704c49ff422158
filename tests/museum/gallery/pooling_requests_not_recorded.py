"""F021 dispatch: an engine's update builder skips pooling requests, as if they never lived longer than one step."""

from __future__ import annotations

from dataclasses import replace

from logitproof.impl import PersistentBatch


def pools(params):
    return bool((params.extra_args or {}).get("pooling"))


class PoolingRequestsNotRecorded(PersistentBatch):
    def step(self, *, finished=(), new=(), swaps=()):
        before = list(self.requests)
        update = super().step(finished=finished, new=new, swaps=swaps)
        if update is None:
            return None
        removed = [slot for slot in update.removed if not pools(before[slot].params)]
        added = [entry for entry in update.added if not pools(entry[1])]
        return replace(update, removed=removed, added=added)
