"""Which kinds of operation a run has met: what never happened was not tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from logitproof.impl.request import Request
from logitproof.spec import BatchUpdate, MoveDirectionality

from .history import Step

REQUIRED = ("refill", "extend", "remove", "move", "swap", "none", "resume")
"""Kinds without which a run says nothing about a processor: it ends as vacuous."""

KINDS = (
    *REQUIRED,
    *("feature-replaces-plain", "plain-replaces-feature", "feature-replaces-feature", "plain-replaces-plain"),
    *("partial", "swap-cycle", "no-prompt", "batch-full", "batch-of-one", "batch-empty"),
)
"""Everything that is counted, in the order in which it is shown."""


class Transitions:
    """Counts by kind, how many rows were judged, and whether the processor ever changed a logit."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.rows = 0
        self.changed_a_logit = False

    def missing(self) -> list[str]:
        """The required kinds that never happened."""
        return [kind for kind in REQUIRED if not self.counts[kind]]

    def table(self) -> dict[str, int]:
        """Every kind with its count, zeros included."""
        return {kind: self.counts[kind] for kind in KINDS}

    def count(
        self,
        step: Step,
        update: BatchUpdate | None,
        before: Sequence[Request],
        requests: Sequence[Request],
        plain_of: dict[int, bool],
        slots: int,
    ) -> None:
        """Add one step. plain_of: whether params ask for nothing, by their identity."""
        counts = self.counts
        if update is None:
            counts["none"] += 1
        else:
            counts["remove"] += len(update.removed)
            for index, params, prompt, _ in update.added:
                counts["no-prompt"] += prompt is None
                if index < len(before):
                    counts["refill"] += 1
                    old = "plain" if plain_of[id(before[index].params)] else "feature"
                    new = "plain" if plain_of.get(id(params), False) else "feature"
                    counts[f"{new}-replaces-{old}"] += 1
                else:
                    counts["extend"] += 1
            swaps = sum(how is MoveDirectionality.SWAP for _, _, how in update.moved)
            counts["swap"] += swaps
            counts["move"] += len(update.moved) - swaps
            counts["swap-cycle"] += swaps > 1
        counts["resume"] += len(step.resumed)
        counts["partial"] += len(step.partial)
        size = len(requests)
        counts["batch-full"] += size == slots
        counts["batch-of-one"] += size == 1
        counts["batch-empty"] += size == 0
