"""The last steps of a live batch, kept so that a finding can be played again: bounded, whatever the engine does."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .followed_batch import FollowedBatch, Occupant, direction

STEPS = 64
"""Steps kept: stale state shows a few steps after the update that left it behind."""


@dataclass(frozen=True, slots=True)
class Played:
    """One step: the slots after it, how long their output lists were before it, and the swaps that made the order."""

    requests: tuple[Occupant, ...]
    lengths: tuple[int, ...]
    swaps: tuple[tuple[int, int], ...]
    entered: tuple[int, ...]


class Window:
    """Follows the batch and remembers `STEPS` steps of it."""

    __slots__ = ("_outputs", "_requests", "batch", "number", "steps")

    def __init__(self, remembered: int) -> None:
        self.batch = FollowedBatch(remembered)
        self.steps: deque[Played] = deque(maxlen=STEPS)
        self.number = 0
        self._requests: tuple[Occupant, ...] = ()
        self._outputs: list[Sequence[int]] = []

    def step(self, update: Any) -> None:
        """Take one step."""
        self.number += 1
        swaps: tuple[tuple[int, int], ...] = ()
        entered: tuple[int, ...] = ()
        if update is not None:
            entered = tuple(who.request for _, who in self.batch.follow(update, self.number))
            swaps = tuple((source, to) for source, to, how in update.moved if direction(how) == "SWAP")
            self._requests = tuple(who for who in self.batch.slots if who is not None)
            self._outputs = [who.outputs for who in self._requests]
        self.steps.append(Played(self._requests, tuple(map(len, self._outputs)), swaps, entered))
