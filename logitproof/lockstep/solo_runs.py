"""Every request once more, alone: its own instance in a batch of one, never moved, fed None (contract D4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from logitproof.spec import BatchUpdate, LogitsProcessor

from .buffer import FENCE
from .finding import Finding
from .history import Arrival, History
from .loans import own_copy
from .oracles.crash import Crash
from .oracles.shape import Shape, misfit
from .stretch import Played, Stretch
from .token_lists import TokenList
from .watchdog import RAISED


class SoloRuns:
    """One instance per request, kept while the request is unscheduled: its solo run is the uninterrupted one.

    A solo run has params and token lists of its own. Whoever writes into those of the batch does not write into these.
    """

    def __init__(
        self,
        make: Callable[[], LogitsProcessor],
        world: History,
        bank: torch.Tensor,
        arrivals: dict[str, Arrival],
        beat: Callable[[], None],
    ) -> None:
        """arrivals: of everybody, by name. beat: see `Watchdog`."""
        self._make = make
        self._beat = beat
        self._world = world
        self._bank = bank
        self._arrivals = arrivals
        self._runs: dict[str, _Alone] = {}

    def play(self, stretch: Stretch) -> Finding | None:
        """Take every request alone through the steps, and write its rows into `stretch.all_solo`.

        Returns what was wrong first: a solo run raises, or returns no row. Its steps from there on are not played.
        """
        numbers: list[int] = []
        visits: dict[str, list[tuple[Played, int, int]]] = {}
        for played in stretch.steps:
            for slot, name in enumerate(played.plan.names):
                place = -1
                if played.position is not None:
                    place = len(numbers) + 1
                    numbers += (FENCE, played.plan.rows[slot])
                visits.setdefault(name, []).append((played, slot, place))
        ending = (FENCE,) * (self._world.slots + 1)
        buffer = self._bank.index_select(0, torch.tensor([*numbers, *ending], dtype=torch.int64))
        rows = buffer.split(1)
        first: tuple[int, int, Finding] | None = None
        for name, places in visits.items():
            alone = self._runs.get(name) or self._start(name)
            for played, slot, place in places:
                if first is not None and (played.plan.number, slot) >= first[:2]:
                    break
                self._beat()
                fault = alone.step(played.outputs[slot], rows[place] if place >= 0 else None)
                if fault is not None:
                    first = played.plan.number, slot, alone.finding(fault, played.plan.number)
                    break
        for played in stretch.steps:
            for name in played.plan.step.finished:
                self._runs.pop(name, None)
        stretch.all_solo = buffer[1 : len(numbers) : 2]
        return None if first is None else first[2]

    def _start(self, name: str) -> _Alone:
        arrival = self._arrivals[name]
        params = own_copy(self._world.params[arrival.params])
        prompt = None if arrival.prompt is None else TokenList(self._world.prompts[arrival.prompt])
        self._runs[name] = alone = _Alone(
            self._make, name, BatchUpdate(1, [], [(0, params, prompt, TokenList())], [])
        )
        return alone


class _Alone:
    """One request's solo run."""

    def __init__(self, make: Callable[[], LogitsProcessor], name: str, enters: BatchUpdate) -> None:
        self._make = make
        self._name = name
        self._instance: LogitsProcessor | None = None
        self._update: BatchUpdate | None = enters
        self._outputs: list[int] = enters.added[0][3]
        self._method = ""

    def step(self, outputs: Sequence[int], row: torch.Tensor | None) -> BaseException | str | None:
        """One step. outputs: those so far. row: float tensor (1, vocab), made the result; None for no `apply`.

        Returns what went wrong: an exception, or what is wrong with the form of the result.
        """
        # The list stays the same object, as in the batch (C5).
        self._outputs[:] = outputs
        try:
            if self._instance is None:
                self._method = "the constructor"
                self._instance = self._make()
            self._method = "update_state"
            self._instance.update_state(self._update)
            self._update = None
            if row is None:
                return None
            self._method = "apply"
            result = self._instance.apply(row)
        except RAISED as error:
            return error
        if result is not row:
            if fault := misfit(row, result):
                return fault
            row.copy_(result)
        return None

    def finding(self, fault: BaseException | str, number: int) -> Finding:
        """What to say of it."""
        if isinstance(fault, str):
            return Shape.finding(fault, number, f"in the solo run of {self._name} ")
        return Crash.finding(self._method, f"the solo run of {self._name}", fault, number)
