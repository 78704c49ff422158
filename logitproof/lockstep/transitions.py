"""Which kinds of operation a run has met: what never happened was not tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from logitproof.impl.request import Request
from logitproof.spec import BatchUpdate, MoveDirectionality

from .hazards import DEFAULT_HAZARDS, Hazard
from .history import Step

REQUIRED = ("refill", "extend", "remove", "move", "swap", "none", "resume")
"""Kinds without which a run says nothing about a processor: it ends as vacuous."""

KINDS = (
    *REQUIRED,
    *("feature-replaces-plain", "plain-replaces-feature", "feature-replaces-feature", "plain-replaces-plain"),
    *("partial", "swap-cycle", "no-prompt", "batch-full", "batch-of-one", "batch-empty"),
    *("all-greedy", "shared", "fleeting", "churn", "placeholder", "several", "padded"),
)
"""Everything that is counted, in the order in which it is shown."""

HAZARD_OF: dict[str, Hazard] = {
    "resume": Hazard.RESUME,
    "partial": Hazard.CHUNKED,
    "swap-cycle": Hazard.CYCLES,
    "no-prompt": Hazard.NO_PROMPT,
    "batch-full": Hazard.FULL,
    "batch-of-one": Hazard.ONE,
    "batch-empty": Hazard.EMPTY,
    "all-greedy": Hazard.ALL_GREEDY,
    "shared": Hazard.SHARED,
    "fleeting": Hazard.FLEETING,
    "churn": Hazard.CHURN,
    "placeholder": Hazard.ASYNC,
    "several": Hazard.SEVERAL,
    "padded": Hazard.PADDED,
}
"""Kinds that never happen where a hazard is switched off."""


class Transitions:
    """Counts by kind, how many rows were judged, and whether the processor ever changed a logit."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.rows = 0
        self.changed_a_logit = False
        self._came: set[int] = set()

    def missing(self, hazards: frozenset[Hazard] = DEFAULT_HAZARDS) -> list[str]:
        """The required kinds that never happened, though no hazard that they need is switched off."""
        return [kind for kind in self.unmet(hazards) if kind in REQUIRED]

    def unmet(self, hazards: frozenset[Hazard] = DEFAULT_HAZARDS) -> list[str]:
        """Every kind that never happened, though no hazard that it needs is switched off."""
        return [kind for kind in self.table(hazards) if not self.counts[kind]]

    def table(self, hazards: frozenset[Hazard] = frozenset(Hazard)) -> dict[str, int]:
        """Every kind with its count, zeros included, but for those that need another hazard."""
        return {
            kind: self.counts[kind]
            for kind in KINDS
            if self.counts[kind] or kind not in HAZARD_OF or HAZARD_OF[kind] in hazards
        }

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
        leaving = len(step.finished) + len(step.unscheduled)
        counts["churn"] += leaving > 1 and len(step.new) > 1
        if step.new and self._came:
            left = {id(request.output_token_ids) for request in before} - {
                id(request.output_token_ids) for request in requests
            }
            counts["fleeting"] += not self._came.isdisjoint(left)
        self._came = {id(added[3]) for added in update.added} if update is not None else set()
        counts["all-greedy"] += bool(requests) and all(request.params.is_greedy for request in requests)
        counts["shared"] += len({id(request.params) for request in requests}) < len(requests)
        counts["several"] += len({*step.accepted})
        counts["resume"] += len(step.resumed)
        counts["partial"] += len(step.partial)
        size = len(requests)
        counts["batch-full"] += size == slots
        counts["batch-of-one"] += size == 1
        counts["batch-empty"] += size == 0
