"""What a recording has seen, in numbers: shown after a clean check, and what `fuzz --like` shapes histories after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .recording import Line
from .wording import ONE_WAY


@dataclass(slots=True)
class Statistics:
    """Counts over the judged steps.

    arrivals, departures, swaps: how often a step had so many; sizes: how often the batch was so large. lives: for how
    many steps requests stayed. returning: requests that came back. features: requests by what they use.
    """

    steps: int = 0
    nones: int = 0
    requests: int = 0
    returning: int = 0
    with_outputs: int = 0
    longest_swaps: int = 0
    operations: Counter[str] = field(default_factory=Counter)
    arrivals: Counter[int] = field(default_factory=Counter)
    swaps: Counter[int] = field(default_factory=Counter)
    sizes: Counter[int] = field(default_factory=Counter)
    lives: Counter[int] = field(default_factory=Counter)
    prompts: Counter[int] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    _since: dict[int, int] = field(default_factory=dict)

    @property
    def largest_batch(self) -> int:
        """Requests that were live at once, at most."""
        return max(self.sizes, default=0)

    @property
    def share_of_none(self) -> float:
        """Of the steps, those whose update was None."""
        return self.nones / self.steps if self.steps else 0.0

    def count(self, line: Line, before: Sequence[int], after: Sequence[int]) -> None:
        """Add one step."""
        self.sizes[len(after)] += 1
        update = line.update
        if update is None:
            return
        staying = {*after}
        for request in before:
            if request not in staying:
                self.lives[line.step - self._since.pop(request, line.step)] += 1
        for entry in update.added:
            self._since[entry.request] = line.step
            back = entry.came_back_as is not None
            self.returning += back
            self.requests += not back
            self.with_outputs += entry.output_length > 0
            self.operations["refill" if entry.index < len(before) else "extend"] += 1
            self.features[entry.features] += 1
            if entry.prompt_length is None:
                self.operations["no prompt"] += 1
            else:
                self.prompts[entry.prompt_length] += 1
        swaps = sum(how != ONE_WAY for _, _, how in update.moved)
        self.longest_swaps = max(self.longest_swaps, swaps)
        self.operations.update(
            {"remove": len(update.removed), "move": len(update.moved) - swaps, "swap": swaps, "resume": 0}
        )
        self.operations["resume"] += sum(entry.came_back_as is not None for entry in update.added)
        if update.added:
            self.arrivals[len(update.added)] += 1
        self.swaps[swaps] += 1
