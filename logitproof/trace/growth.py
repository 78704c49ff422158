"""Law C5 in a recording: output lists are the engine's own, so they grow without being told of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .operations import name
from .recording import Added


@dataclass(slots=True)
class _Seen:
    """A request's list: how long it was at `step`, and for how many steps it had not grown by then."""

    added: Added
    length: int
    step: int
    still: int = 0
    told: bool = False


class Growth:
    """Follows the output lengths of all requests, as far as the lines tell them."""

    def __init__(self) -> None:
        self._seen: dict[int, _Seen] = {}
        self.placeholders = False
        """Whether a list ever ended in -1: asynchronous scheduling, whose lists may also be cut."""

    def enter(self, added: Added, step: int, live: set[int]) -> Iterator[tuple[str, str]]:
        """A request is added, new or back."""
        before = added.came_back_as
        if before is not None:
            if before in live:
                yield (
                    "B8",
                    f"{name(added.request)} is {name(before)} once more, which has not left: one request in two slots",
                )
            known = self._seen.get(before)
            if known is not None:
                most = known.length + (step - known.step) + 1
                if added.output_length > most:
                    yield (
                        "C5",
                        f"{name(before)} came back with {added.output_length} output tokens, but its list showed "
                        f"{known.length} when it was last seen: what was told is not the engine's own list",
                    )
                elif added.output_length < known.length and not self.placeholders:
                    yield (
                        "C5",
                        f"{name(before)} came back with {added.output_length} output tokens, but had {known.length}",
                    )
        self._seen[added.request] = _Seen(added, added.output_length, step)

    def look(self, request: int, length: int, waiting: int, step: int) -> Iterator[tuple[str, str]]:
        """A line tells the length of a list that did not simply grow by one per step."""
        self.placeholders |= waiting > 0
        seen = self._seen.get(request)
        if seen is None:
            return
        if length < seen.length and not self.placeholders:
            yield "C5", f"the output list of {name(request)} shrank from {seen.length} to {length} tokens"
        seen.still = seen.still + step - seen.step if length == seen.length else 0
        seen.length, seen.step = length, step
        longest = self._longest_prefill(seen.added)
        if longest is not None and seen.still > longest and not seen.told:
            seen.told = True
            yield (
                "C5",
                f"the output list of {name(request)} has not grown for {seen.still} steps, longer than its whole "
                f"prefill can take ({longest}): what was told is not the engine's own list",
            )

    def forget(self, live: set[int], step: int) -> None:
        """Keep those who are live, and those who left lately enough to come back."""
        for request in [
            who for who, seen in self._seen.items() if who not in live and step - seen.step > 10_000
        ]:
            del self._seen[request]

    @staticmethod
    def _longest_prefill(added: Added) -> int | None:
        """Every step that a request is in the batch computes at least one of its tokens."""
        return None if added.prompt_length is None else added.prompt_length + added.output_length + 1
