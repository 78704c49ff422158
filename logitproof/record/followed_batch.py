"""The slots as the updates say, followed at a cost of O(changes) and whatever an engine may tell."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any


class Occupant:
    """A request in a slot. `outputs` and `prompt` are the engine's own lists, params its own object (contract C5).

    ahead: output length minus step number when it was last looked at; it stays the same while the list grows by one
    per step. waits: whether the list then ended in a placeholder, which asynchronous scheduling fills in later.
    """

    # No dataclass: its keyword arguments would be a tenth of the recorder's cost.
    __slots__ = ("ahead", "came_back_as", "outputs", "params", "prompt", "request", "waits")

    def __init__(
        self,
        request: int,
        params: Any,
        prompt: Sequence[int] | None,
        outputs: Sequence[int],
        ahead: int,
        came_back_as: int | None,
    ) -> None:
        self.request = request
        self.params = params
        self.prompt = prompt
        self.outputs = outputs
        self.ahead = ahead
        self.waits = False
        self.came_back_as = came_back_as


class FollowedBatch:
    """Who is in which slot. Nothing that an engine says makes it raise IndexError or grow without bound.

    remembered: how many requests that left are kept, so that one that comes back is known again.
    """

    __slots__ = ("_by_outputs", "_departed", "_remembered", "left", "place", "requests", "slots")

    def __init__(self, remembered: int = 256) -> None:
        self.slots: list[Occupant | None] = []
        self.place = 0
        self.requests = 0
        self.left: list[Occupant] = []
        """Those whom the last update took out of the batch."""
        self._by_outputs: dict[int, Occupant] = {}
        self._departed: deque[Occupant] = deque()
        self._remembered = remembered

    def follow(self, update: Any, step: int) -> list[tuple[int, Occupant]]:
        """Apply an update in the order of C1; return who entered, with the index told."""
        slots = self.slots
        entered = []
        self.left = []
        for index in update.removed:
            self._put(index, None)
        for index, params, prompt, outputs in update.added:
            length = len(outputs)
            before = self._by_outputs.get(id(outputs))
            if length and before is None:
                before = self._same_request(params, prompt, outputs)
            occupant = Occupant(
                self.requests,
                params,
                prompt,
                outputs,
                length - step,
                None if before is None else before.request,
            )
            if before is not None:
                self._back(before)
            self.requests += 1
            self._by_outputs[id(outputs)] = occupant
            self._put(index, occupant)
            entered.append((index, occupant))
        for source, destination, how in update.moved:
            if not (0 <= source < len(slots) and 0 <= destination < len(slots)):
                continue
            moving = slots[source]
            if direction(how) == "SWAP":
                other = slots[destination]
                slots[source], slots[destination] = other, moving
                if other is not None:
                    self.place += (source - destination) * (other.request + 1)
            else:
                self._put(destination, None)
                slots[source], slots[destination] = None, moving
            if moving is not None:
                self.place += (destination - source) * (moving.request + 1)
        while len(slots) > update.batch_size:
            self._put(len(slots) - 1, None)
            slots.pop()
        if self.left:
            self._remember()
        return entered

    def _put(self, index: int, occupant: Occupant | None) -> None:
        """Let a request, or None, take a slot from whoever is there."""
        slots = self.slots
        if not 0 <= index < len(slots):
            if occupant is None or not 0 <= index <= len(slots) + self._remembered:
                return
            slots.extend([None] * (index + 1 - len(slots)))
        before = slots[index]
        if before is not None:
            self.place -= (index + 1) * (before.request + 1)
            self.left.append(before)
        slots[index] = occupant
        if occupant is not None:
            self.place += (index + 1) * (occupant.request + 1)

    def _remember(self) -> None:
        departed, known = self._departed, self._by_outputs
        departed.extend(self.left)
        while len(departed) > self._remembered:
            oldest = departed.popleft()
            if known.get(id(oldest.outputs)) is oldest:
                del known[id(oldest.outputs)]

    def _same_request(self, params: Any, prompt: Any, outputs: Sequence[int]) -> Occupant | None:
        """Who this request with outputs was before, or None; the engine may have made another list for it.

        So it is under asynchronous scheduling. Params and prompt are still the same objects, and the new list holds at
        least what the request had when it left.
        """
        same = [
            gone
            for gone in self._departed
            if gone.params is params and gone.prompt is prompt and len(gone.outputs) <= len(outputs)
        ]
        return same[0] if len(same) == 1 else None

    def _back(self, before: Occupant) -> None:
        """Whoever came back has not departed any more."""
        if before in self._departed:
            self._departed.remove(before)


def direction(how: Any) -> str:
    """`SWAP` or `UNIDIRECTIONAL`, by name: vLLM's enum and ours are different classes. Raises ValueError: neither."""
    name: str = getattr(how, "_name_", "") or how.name  # an enum's `.name` costs five times as much
    if name not in ("SWAP", "UNIDIRECTIONAL"):
        raise ValueError(f"a move is neither SWAP nor UNIDIRECTIONAL but {name!r}")
    return name
