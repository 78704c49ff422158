"""Where everybody will sit: by the model alone, before anything is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .bank import row_number
from .expected import Expected, expected
from .history import Arrival, History, Step


@dataclass(frozen=True, slots=True)
class Planned:
    """One step as the model takes it.

    size: requests at its start. expected: the model's word on it. before, newcomers, names: who was in the batch, who
    enters, and who is in it at the end, by slot. plain: which of these ask for nothing. rows: of the bank, one for
    each. applies: whether `apply` is called (E2).
    """

    number: int
    step: Step
    expected: Expected
    before: Sequence[str]
    newcomers: Sequence[str]
    names: Sequence[str]
    plain: Sequence[bool]
    rows: Sequence[int]
    applies: bool


class Course:
    """Follows a history step by step, without an engine and without a processor."""

    def __init__(self, world: History, plain: Sequence[bool], claims_argmax: bool) -> None:
        """plain: which of the world's params ask for nothing."""
        self._world = world
        self._plain = plain
        self._skips_greedy = [claims_argmax and params.is_greedy for params in world.params]
        self.arrivals: dict[str, Arrival] = {}
        """Everybody who has ever come."""
        self._outputs: dict[str, int] = {}
        self._live: list[str] = []
        self._number = 0

    def plan(self, step: Step) -> Planned:
        """The next step."""
        self._number += 1
        before = self._live
        for arrival in step.new:
            self.arrivals[arrival.name] = arrival
            self._outputs[arrival.name] = len(arrival.outputs)
        newcomers = [*(arrival.name for arrival in step.new), *step.resumed]
        slot_of = {name: slot for slot, name in enumerate(before)}
        leaving = tuple(sorted(slot_of[name] for name in (*step.finished, *step.unscheduled)))
        wanted = expected(len(before), leaving, len(newcomers), step.swaps, self._world.dialect)
        everyone = [*before, *newcomers]
        names = [everyone[number] for number in wanted.order]
        arrivals, outputs = [self.arrivals[name] for name in names], self._outputs
        rows = [row_number(arrival.row, outputs[arrival.name]) for arrival in arrivals]
        for name in names:
            if name not in step.partial:
                outputs[name] += 1 + (step.accepted.count(name) if step.accepted else 0)
        self._live = names
        return Planned(
            self._number,
            step,
            wanted,
            before,
            newcomers,
            names,
            [self._plain[arrival.params] for arrival in arrivals],
            rows,
            bool(names) and not all(self._skips_greedy[arrival.params] for arrival in arrivals),
        )
