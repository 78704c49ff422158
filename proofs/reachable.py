"""States that the running model really reaches: witnesses that assumptions can hold, and food for the mutants.

Every step of a batch of up to three requests is run, and the states on the way are kept, by type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product, zip_longest
from random import Random
from typing import Any

from logitproof.model.announce import ANNOUNCED
from logitproof.model.batch import add, move, remove, swap
from logitproof.model.concrete import CONCRETE, Concrete, TotalMap
from logitproof.model.condense import CONDENSE, open_condense, shrink
from logitproof.model.fill import EXTEND, FILL, REMOVE
from logitproof.model.reorder import REORDER
from logitproof.model.rule import Rule, run
from logitproof.model.step import make_plan
from logitproof.model.step_state import Plan, StepState, begin
from logitproof.spec.algebra import EMPTY, Algebra, Bool, Int

from .obligations.framing import Recording
from .obligations.operations import Operands
from .obligations.replaying import Reading, Watched

SLOTS = 3
"""Largest batch at the start of a step; a hole to fill, a request to move and one between need three."""
ARRIVALS = 2
"""Most new requests in a step: one refills and one extends."""
BOUND = SLOTS + ARRIVALS + 1
"""Every slot, request and ordinal of such a step lies below."""
READING = Concrete(BOUND)
LARGE = 9
"""Slots of the large steps: more than any scope in which a counterexample is looked for, so that an assumption which
only holds in small scopes is seen to be one."""
LARGE_READING = Concrete(2 * LARGE + 1)


def plans() -> Iterator[Plan]:
    """Every plan up to `SLOTS` requests and `ARRIVALS` new ones; with no swap, one, two, one of two, or refused."""
    for size, arrivals in product(range(SLOTS + 1), range(ARRIVALS + 1)):
        for count in range(size + 1):
            for finished in combinations(range(size), count):
                final = size - count + arrivals
                swaps: list[Sequence[tuple[int, int]]] = [[], *([pair] for pair in _refused_swaps(final))]
                if final >= 2:
                    swaps += [[(0, final - 1)], [(final - 1, 0), (0, 1)]]
                    yield replace(make_plan(size, finished, arrivals, swaps[-1]), swap_count=1)
                yield from (make_plan(size, finished, arrivals, wanted) for wanted in swaps)


def _refused_swaps(final: int) -> Iterator[tuple[int, int]]:
    """Swaps of a slot with itself or with one outside the batch, on either side."""
    if final:
        yield from ((0, 0), (0, final), (final, 0), (-1, 0), (0, -1))


def large_plans() -> Iterator[Plan]:
    """A few plans of a large batch: nothing, refills and a new end, removes with many moves, everybody gone."""
    turn = [(LARGE - 5, 0), (0, 1), (1, LARGE - 5)]
    yield make_plan(LARGE, [], 0, [])
    yield make_plan(LARGE, [1, 4], 5, turn)
    yield make_plan(LARGE, [0, 1, 3, 6], 1, [*turn, (0, 0)])
    yield make_plan(LARGE, [2, 3, 5, 7], 0, turn)
    yield make_plan(LARGE, range(LARGE), 0, [])


@cache
def states() -> dict[type, list[Any]]:
    """States of the small steps, by type. Those that rules are about to fire in take turns, rule by rule, so that a few
    of them already differ in kind."""
    return _states(plans(), BOUND)


@cache
def large_states() -> dict[type, list[Any]]:
    """States of the large steps, by type."""
    return _states(large_plans(), 2 * LARGE + 1)


def _states(plans: Iterator[Plan], bound: int) -> dict[type, list[Any]]:
    found: dict[type, dict[str, list[Any]]] = {}
    for plan in plans:
        visited = _visited(plan)
        _keep(found, "", plan)
        for label, state in visited:
            _keep(found, label, state)
            moves = state.record.moves
            _keep(found, label, Recording(moves, 1, 0, True, max(moves.length - 1, 0)))
        for label, watched in _watched(visited, bound):
            _keep(found, label, watched)
        for label, reading in _readings(visited[-1][1], bound):
            _keep(found, label, reading)
    batches = [state.batch for state in _take_turns(found[StepState])[:100]]
    for batch, (index, other) in product(batches, product(range(-1, SLOTS + 1), repeat=2)):
        _keep(found, f"{index} {other}", Operands(batch, index, other, bound - 1))
    return {kind: _take_turns(labelled) for kind, labelled in found.items()}


def fired() -> dict[str, int]:
    """How often each rule fires in these steps."""
    return Counter(label for plan in plans() for label, _ in _visited(plan) if not label.startswith("end"))


def _keep(found: dict[type, dict[str, list[Any]]], label: str, state: Any) -> None:
    found.setdefault(type(state), {}).setdefault(label, []).append(state)


def _take_turns(labelled: dict[str, list[Any]]) -> list[Any]:
    for states in labelled.values():
        Random(0).shuffle(states)
    return [state for turn in zip_longest(*labelled.values()) for state in turn if state is not None]


def _visited(plan: Plan) -> list[tuple[str, StepState]]:
    """Every state of a step, labelled by the rule that fires in it, or as the end of a loop."""
    states: list[tuple[str, StepState]] = []

    def watch(rule: Rule, state: StepState) -> None:
        states.append((rule.__name__, state))

    state = begin(CONCRETE, plan)
    for loop in (FILL, EXTEND, REMOVE):
        state = run(loop, state, watch)
        states.append((f"end of {loop.name}", state))
    state = run(CONDENSE, open_condense(CONCRETE, state), watch)
    states.append(("end of condense", state))
    state = run(REORDER, shrink(CONCRETE, state), watch)
    return [*states, ("end with a hole filled" if state.condensed else "end", state)]


def _watched(visited: list[tuple[str, StepState]], bound: int) -> Iterator[tuple[str, Watched]]:
    """The same step seen by a consumer in each dialect, and by one that never hears of a remove."""
    end = visited[-1][1]
    for announces in (*ANNOUNCED.values(), _nothing):
        announced = TotalMap(False, {i: announces(CONCRETE, end, i) for i in range(bound)})
        view = end.plan.old
        for slot in range(bound):
            if announced[slot]:
                view = remove(CONCRETE, view, slot)
        for slot in range(bound):
            if end.record.added[slot] != EMPTY:
                view = add(CONCRETE, view, slot, end.record.added[slot])
        read = 0
        for label, engine in visited:
            if engine.cursor < engine.plan.old.size or engine.taken < engine.plan.arrival_count:
                continue
            while read < engine.record.moves.length:
                moves = end.record.moves
                operation = move if moves.one_way[read] else swap
                view = operation(CONCRETE, view, moves.source[read], moves.destination[read])
                read += 1
            yield label, Watched(engine, view, announced)


def _nothing(L: Algebra, s: StepState, index: Int) -> Bool:
    return False


def _readings(end: StepState, bound: int) -> Iterator[tuple[str, Reading]]:
    """A consumer half way through the removes, and half way through the adds, of a step."""
    for listed, newcomer in (
        (end.record.removed, TotalMap(EMPTY)),
        (TotalMap(False, {i: end.record.added[i] != EMPTY for i in range(bound)}), end.record.added),
    ):
        reading = Reading(end.plan.old.slots, listed, newcomer, listed, end.plan.old, 0)
        for index in (i for i in range(bound) if listed[i]):
            yield "add" if newcomer[index] != EMPTY else "remove", replace(reading, index=index)
            if newcomer[index] == EMPTY:
                view = remove(CONCRETE, reading.view, index)
            else:
                view = add(CONCRETE, reading.view, index, newcomer[index])
            reading = replace(reading, view=view, pending=reading.pending.put(index, False))
