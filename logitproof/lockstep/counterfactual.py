"""The same failure in a history that differs in one respect: whether it still fails says what it depends on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from logitproof.targets import Target, TargetError

from .course import Course
from .driver import run
from .finding import Finding
from .history import Arrival, History, Step
from .repair import repair

BY_ROW = ("untouched", "solo", "rebuild")
"""Oracles that speak of the row of one request."""
SCRIPT = (0, 1, 2)


class WhatIf:
    """Plays variations of a history in which the row of one request is wrong."""

    def __init__(self, history: History, target: Target, finding: Finding) -> None:
        """finding: of the smallest history. Raises nothing: a variation that cannot be played has not failed."""
        self.history, self.target, self.finding = history, target, finding
        self._name = finding.request
        self._others = [arrival for arrival in history.arrivals() if arrival.name != self._name]

    def fault(self, variation: History, oracles: Sequence[str] = BY_ROW) -> Finding | None:
        """What is wrong with the row of that request, in the first step in which anything is."""
        try:
            faults = run(repair(variation), self.target, thorough=True).faults
        except TargetError:
            return None
        about = (fault for fault in faults if fault.oracle in oracles and fault.request == self._name)
        return next(about, None)

    def fails(self, variation: History) -> bool:
        """Whether the row of that request is wrong in it."""
        return self.fault(variation) is not None

    def with_own_objects(self) -> bool:
        """If every request has params, and a prompt, that are no other's."""
        params, prompts = [], []
        own = {}
        for number, arrival in enumerate(self.history.arrivals()):
            params.append(self.history.params[arrival.params])
            prompts.append(
                (number % self.history.vocab,)
                if arrival.prompt is None
                else self._own_prompt(arrival, number)
            )
            prompt = None if arrival.prompt is None else number
            own[arrival.name] = replace(arrival, params=number, prompt=prompt)
        return self.fails(
            replace(
                self.history,
                params=tuple(params),
                prompts=tuple(prompts),
                steps=tuple(
                    replace(step, new=tuple(own[arrival.name] for arrival in step.new))
                    for step in self.history.steps
                ),
            )
        )

    def _own_prompt(self, arrival: Arrival, number: int) -> tuple[int, ...]:
        assert arrival.prompt is not None
        return (*self.history.prompts[arrival.prompt], number % self.history.vocab)

    def alone(self) -> WhatIf | None:
        """The failure if nobody else comes; None if there is none then."""
        own = tuple(
            Step(
                new=tuple(arrival for arrival in step.new if arrival.name == self._name), partial=step.partial
            )
            for step in self.history.steps
        )
        return self._if_it_fails(replace(self.history, steps=own))

    def with_nobody_leaving(self) -> WhatIf | None:
        """The failure if everybody stays, so that no slot is used twice; None if there is none then."""
        steps = tuple(
            replace(step, finished=(), unscheduled=(), resumed=(), swaps=()) for step in self.history.steps
        )
        slots = sum(1 for _ in self.history.arrivals())
        return self._if_it_fails(replace(self.history, steps=steps, slots=slots))

    def _if_it_fails(self, variation: History) -> WhatIf | None:
        fault = self.fault(variation)
        return None if fault is None else WhatIf(variation, self.target, fault)

    def after_more_tokens(self) -> Finding | None:
        """What is wrong if it has had some different tokens before the step that fails."""
        own = tuple(
            replace(
                step,
                new=tuple(
                    replace(arrival, script=SCRIPT) if arrival.name == self._name else arrival
                    for arrival in step.new
                ),
            )
            for step in self.history.steps
        )
        place = self.finding.step - 1
        return self.fault(replace(self.history, steps=(*own[:place], *[Step()] * len(SCRIPT), *own[place:])))

    def with_plain_neighbours(self) -> bool:
        """If the others ask for nothing."""
        plain = {arrival.name: replace(arrival, params=0) for arrival in self._others}
        steps = tuple(
            replace(step, new=tuple(plain.get(arrival.name, arrival) for arrival in step.new))
            for step in self.history.steps
        )
        return self.fails(replace(self.history, steps=steps))

    def after_the_others_have_left(self) -> bool:
        """If the request comes when the others have gone, and stays as long."""
        own = next(arrival for arrival in self.history.arrivals() if arrival.name == self._name)
        length = len(self.history.steps)
        idle = tuple(Step() for _ in range(length - 1))
        names = tuple(arrival.name for arrival in self._others)
        steps = (Step(new=tuple(self._others)), *idle, Step(finished=names), Step(new=(own,)), *idle)
        return self.fails(replace(self.history, steps=steps))

    def with_a_newcomer_in_every_step(self) -> bool:
        """If plain requests come in the steps in which nothing happens, so that no update is None."""
        steps = tuple(
            replace(step, new=(Arrival(f"new {number}"),)) if step.is_idle else step
            for number, step in enumerate(self.history.steps)
        )
        room = self.history.slots + len(steps)
        return self.fault(replace(self.history, steps=steps, slots=room), (self.finding.oracle,)) is not None


def moves(history: History) -> int:
    """How many moves and swaps are announced. history: a valid one."""
    course = Course(history, [False] * len(history.params), False)
    planned = [course.plan(step).expected.announced for step in history.steps]
    return sum(len(announced.moved) for announced in planned if announced is not None)


def others_came_later(history: History, name: str) -> bool:
    """Whether somebody came when that request was already there."""
    is_there = False
    for step in history.steps:
        if is_there and (step.new or step.resumed):
            return True
        is_there = is_there or any(arrival.name == name for arrival in step.new)
    return False


def is_alone(history: History, name: str) -> bool:
    """Whether nobody else ever comes."""
    return all(arrival.name == name for arrival in history.arrivals())


def left_by(history: History, number: int) -> set[str]:
    """Who has left the batch at least once, up to a step."""
    return {name for step in history.steps[:number] for name in (*step.finished, *step.unscheduled)}


def came_back(history: History, names: Sequence[str] | None = None) -> bool:
    """Whether one of these, or anybody, arrives with outputs, is resumed, or has a sampled token thrown away."""
    return any(
        (arrival.outputs and (names is None or arrival.name in names)) for arrival in history.arrivals()
    ) or any(
        names is None or name in names for step in history.steps for name in (*step.resumed, *step.partial)
    )
