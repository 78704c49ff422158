"""Oracles about the engine: what it did to the batch and what it told the processors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from logitproof.impl.request import Request
from logitproof.model import draw_slots

from ..expected import broken_by, replayed
from ..finding import Finding
from ..observation import Observation
from .oracle import Oracle


class SameBatch:
    """Model batch == engine batch."""

    code: ClassVar[str] = "batch"
    laws: ClassVar[tuple[str, ...]] = ("B1", "B2", "B3", "B4", "B6", "B8", "B9", "A1", "A2", "A3", "A4")
    sentence: ClassVar[str] = "the engine's batch is not the one that the proven model reaches"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        names = [*seen.before, *seen.newcomers]
        wanted = [names[number] for number in seen.expected.order]
        if not _are_same(wanted, seen.requests):
            yield _finding(
                self, seen, f"the batch is {_shown(seen.requests)}, the model has {_shown(wanted)}"
            )


class SameUpdate:
    """The engine announces what the rules announce, in its dialect."""

    code: ClassVar[str] = "update"
    laws: ClassVar[tuple[str, ...]] = ("B1", "B2", "B3", "B4", "B6")
    sentence: ClassVar[str] = "removed, added or moved differ from what the rules announce in this dialect"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        got, wanted = seen.announced, seen.expected.announced
        if got is None or wanted is None or got == wanted:
            return
        for name in ("removed", "added", "moved"):
            mine, theirs = getattr(wanted, name), getattr(got, name)
            if name == "removed":
                mine, theirs = tuple(sorted(mine)), tuple(sorted(theirs))
            if mine != theirs:
                yield _finding(self, seen, f"{name} is {list(theirs)}, the model announces {list(mine)}")


class NoneIffNothing:
    """B7."""

    code: ClassVar[str] = "none"
    laws: ClassVar[tuple[str, ...]] = ("B7",)
    sentence: ClassVar[str] = "the update is None although something happened, or the reverse"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if (seen.update is None) != (seen.expected.announced is None):
            said = "None" if seen.update is None else "an update"
            yield _finding(self, seen, f"the engine says {said} where the model does not")


class BatchSize:
    """B5."""

    code: ClassVar[str] = "size"
    laws: ClassVar[tuple[str, ...]] = ("B5",)
    sentence: ClassVar[str] = "batch_size is not the number of live requests"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.update is not None and seen.update.batch_size != len(seen.requests):
            yield _finding(
                self, seen, f"batch_size={seen.update.batch_size} but {len(seen.requests)} requests are live"
            )


class ReplayGivesTheBatch:
    """C2."""

    code: ClassVar[str] = "replay"
    laws: ClassVar[tuple[str, ...]] = ("C2",)
    sentence: ClassVar[str] = (
        "the engine's update, replayed by C1 on the old slots, does not give its new slots"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.announced is not None and seen.announced == seen.expected.announced:
            return  # the memoised model has replayed this very update
        if seen.announced is not None and any(number < 0 for _, number in seen.announced.added):
            yield _finding(self, seen, "an Add carries an output list that belongs to no new request (C5)")
            return
        names = [*seen.before, *seen.newcomers]
        slots = [
            None if number is None else names[number] for number in replayed(len(seen.before), seen.announced)
        ]
        if not _are_same(slots, seen.requests):
            yield _finding(
                self,
                seen,
                f"replaying the update gives {_shown(slots)}, the batch is {_shown(seen.requests)}",
            )


class Invariants:
    """The invariants of spec/, evaluated on the engine's batch."""

    code: ClassVar[str] = "invariant"
    laws: ClassVar[tuple[str, ...]] = ("B4", "B5", "B8")
    sentence: ClassVar[str] = "an invariant of spec/ does not hold of the batch"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        number_of = {id(request): number for number, request in enumerate((*seen.before, *seen.newcomers))}
        order = tuple(number_of.get(id(request), -1) for request in seen.requests)
        for name in (*seen.expected.broken, *broken_by(order)):
            yield _finding(self, seen, f"{name} does not hold of {_shown(seen.requests)}")


def _finding(oracle: Oracle, seen: Observation, summary: str) -> Finding:
    return Finding(oracle.code, oracle.laws[0], summary, seen.number)


def _shown(requests: Iterable[Request | None]) -> str:
    return draw_slots(None if request is None else request.request_id for request in requests)


def _are_same(left: Sequence[Request | None], right: Sequence[Request]) -> bool:
    return len(left) == len(right) and all(one is other for one, other in zip(left, right, strict=True))
