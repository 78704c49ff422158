"""Makes a failing history small and plain, after hypothesis has done its part.

Hypothesis shrinks bytes; a history has a structure that bytes do not show: a request can be taken out of every step at
once, two steps can become one. Every change is kept only if the same oracle still speaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from itertools import islice

from logitproof.spec import SamplingParams

from .counterfactual import moves
from .course import Course
from .history import Arrival, History, Step, request_names
from .plain import PLAIN
from .repair import repair

MOST_RUNS = 3000
"""Runs of a shrinking history are short; a few seconds at most, whatever the history looks like."""

FEW_TOKENS = 8
"""Tokens that are taken out of a list one by one; longer lists are cut."""


def shrink(history: History, still_fails: Callable[[History], bool], most_runs: int = MOST_RUNS) -> History:
    """The smallest history found for which `still_fails` holds, as it does for `history`."""
    budget = iter(range(most_runs))

    def try_all(candidates: Callable[[History], Iterator[History]]) -> bool:
        nonlocal history
        improved = False
        again = True
        while again:
            again = False
            for candidate in candidates(history):
                mended = repair(candidate)
                if mended == history:
                    continue
                if next(budget, None) is None:
                    return improved
                if still_fails(mended):
                    history, improved, again = mended, True, True
                    break
        return improved

    improved = True
    while improved:
        improved = False
        for edit in (
            _fewer_steps,
            _merged_steps,
            _folded_steps,
            _fewer_events,
            _fewer_moves,
            _plainer_arrivals,
            _plainer_world,
        ):
            improved |= try_all(edit)
    renamed = _renamed(history)
    return renamed if still_fails(renamed) else history


def _fewer_steps(history: History) -> Iterator[History]:
    steps = history.steps
    size = len(steps) // 2
    while size:
        for start in range(len(steps) - size, -1, -1):
            yield replace(history, steps=steps[:start] + steps[start + size :])
        size //= 2


def _merged_steps(history: History) -> Iterator[History]:
    """Two neighbouring steps as one; requests that come and go within it never existed."""
    for first in range(len(history.steps) - 1):
        one, other = history.steps[first : first + 2]
        came = {arrival.name for arrival in one.new}
        merged = Step(
            finished=(*one.finished, *(name for name in other.finished if name not in came)),
            unscheduled=(*one.unscheduled, *(name for name in other.unscheduled if name not in came)),
            new=(*(arrival for arrival in one.new if arrival.name not in other.finished), *other.new),
            resumed=(*one.resumed, *other.resumed),
            swaps=(*one.swaps, *other.swaps),
            partial=other.partial,
            accepted=other.accepted,
        )
        yield replace(history, steps=(*history.steps[:first], merged, *history.steps[first + 2 :]))


def _folded_steps(history: History) -> Iterator[History]:
    """Without a step in which nothing changes: who came before it brings along the token that was sampled in it."""
    for number, step in enumerate(history.steps):
        if number and step.is_idle and not step.accepted:
            before = tuple(
                replace(earlier, new=tuple(_one_token_on(arrival) for arrival in earlier.new))
                for earlier in history.steps[:number]
            )
            yield replace(history, steps=(*before, *history.steps[number + 1 :]))


def _one_token_on(arrival: Arrival) -> Arrival:
    token = arrival.script[len(arrival.outputs) % len(arrival.script)]
    return replace(arrival, outputs=(*arrival.outputs, token))


def _fewer_events(history: History) -> Iterator[History]:
    for name in [arrival.name for arrival in history.arrivals()]:
        fewer = tuple(_without(step, name) for step in history.steps)
        yield replace(history, steps=fewer)
        yield replace(history, steps=tuple(_swaps_one_down(step) for step in fewer))
    for number, step in enumerate(history.steps):
        if step.unscheduled:  # to leave for good is plainer
            gone = replace(step, finished=(*step.finished, *step.unscheduled), unscheduled=())
            yield _with_step(history, number, gone)
        for field in ("swaps", "partial", "accepted", "finished", "unscheduled", "resumed"):
            events = getattr(step, field)
            # All at once first: two swaps that undo each other can only go together.
            kept_ones = [(), *(events[:position] + events[position + 1 :] for position in range(len(events)))]
            for kept in kept_ones if events else ():
                yield _with_step(history, number, replace(step, **{field: kept}))


def _without(step: Step, name: str) -> Step:
    """The step as if the request had never come; `repair` drops what still refers to it."""
    return replace(step, new=tuple(arrival for arrival in step.new if arrival.name != name))


def _swaps_one_down(step: Step) -> Step:
    """As if everybody who is swapped had one request fewer below."""
    lowered = ((max(0, left - 1), max(0, right - 1)) for left, right in step.swaps)
    return replace(step, swaps=tuple((left, right) for left, right in lowered if left != right))


def _fewer_moves(history: History) -> Iterator[History]:
    """With requests in other slots, so that fewer of them move when others leave: who has not moved is plainer."""
    most = moves(history)
    for number, step in enumerate(history.steps if most else ()):
        for place, arrival in enumerate(step.new[:-1]):
            last = (*step.new[:place], *step.new[place + 1 :], arrival)
            reordered = _with_step(history, number, replace(step, new=last))
            if moves(reordered) < most:
                yield reordered
        if step.swaps and len(step.new) > 1:
            yield _with_step(history, number, replace(step, new=_as_they_end_up(history, number), swaps=()))


def _as_they_end_up(history: History, number: int) -> tuple[Arrival, ...]:
    """The newcomers of a step in the order of their slots after its swaps."""
    course = Course(history, [False] * len(history.params), False)
    names = [course.plan(step).names for step in history.steps[: number + 1]][-1]
    return tuple(sorted(history.steps[number].new, key=lambda arrival: names.index(arrival.name)))


def _with_step(history: History, number: int, step: Step) -> History:
    return replace(history, steps=(*history.steps[:number], step, *history.steps[number + 1 :]))


def _plainer_arrivals(history: History) -> Iterator[History]:
    plainest = Arrival(name="")
    for number, step in enumerate(history.steps):
        for position, arrival in enumerate(step.new):
            for field in ("params", "outputs", "prompt", "script", "row"):
                plain = getattr(plainest, field)
                if getattr(arrival, field) != plain:
                    yield _with_arrival(history, number, position, replace(arrival, **{field: plain}))
            if any(arrival.outputs):
                zeros = replace(arrival, outputs=(0,) * len(arrival.outputs))
                yield _with_arrival(history, number, position, zeros)
            for field in ("outputs", "script"):
                tokens = getattr(arrival, field)
                for length in _fewer(len(tokens)):
                    fewer = tokens[:length]
                    yield _with_arrival(history, number, position, replace(arrival, **{field: fewer}))
                for place in range(len(tokens) if 1 < len(tokens) <= FEW_TOKENS else 0):
                    fewer = tokens[:place] + tokens[place + 1 :]
                    yield _with_arrival(history, number, position, replace(arrival, **{field: fewer}))


def _fewer(length: int) -> Iterator[int]:
    """Lengths between which that of a long list is found soon."""
    cut = length // 2
    while length > FEW_TOKENS and cut:
        yield length - cut
        cut //= 2


def _with_arrival(history: History, number: int, position: int, arrival: Arrival) -> History:
    step = history.steps[number]
    new = (*step.new[:position], arrival, *step.new[position + 1 :])
    return _with_step(history, number, replace(step, new=new))


def _plainer_world(history: History) -> Iterator[History]:
    needed = sorted({0, *(arrival.params for arrival in history.arrivals())})
    if len(needed) < len(history.params):
        renumbered = {old: new for new, old in enumerate(needed)}
        steps = tuple(
            replace(step, new=tuple(replace(a, params=renumbered[a.params]) for a in step.new))
            for step in history.steps
        )
        yield replace(history, params=tuple(history.params[old] for old in needed), steps=steps)
    for number, params in enumerate(history.params):
        for plainer in _plainer_params(params):
            yield replace(history, params=(*history.params[:number], plainer, *history.params[number + 1 :]))
    if history.prompts != ((0,),) * len(history.prompts):
        yield replace(history, prompts=((0,),) * len(history.prompts))
    yield replace(history, seed=0)
    yield replace(history, lag=0, padding=0)
    yield replace(history, lag=min(history.lag, 1), padding=min(history.padding, 1))
    for slots in (1, 2, 3, 4):
        if slots < history.slots:
            yield replace(history, slots=slots)


def _plainer_params(params: SamplingParams) -> Iterator[SamplingParams]:
    for field in fields(params):
        value, plain = getattr(params, field.name), getattr(PLAIN, field.name)
        if value == plain:
            continue
        candidates = [plain]
        if type(value) is int:
            candidates += _lower(value)
        elif isinstance(value, tuple) and len(value) > 1:
            candidates += [value[:1], value[1:]]
        elif isinstance(value, dict) and len(value) > 1:
            candidates += [{key: value[key]} for key in value]
        for candidate in candidates:
            try:
                yield replace(params, **{field.name: candidate})
            except (TypeError, ValueError):
                continue


def _lower(number: int) -> list[int]:
    """Whole numbers that are plainer, the plainest first. A count that is lower needs fewer steps to be reached."""
    return list(dict.fromkeys(lower for lower in (0, 1, number // 2, number - 1) if 0 <= lower < number))


def _renamed(history: History) -> History:
    """Requests are called A, B, C, … in order of arrival."""
    arrivals = [arrival.name for arrival in history.arrivals()]
    name_of = dict(zip(arrivals, islice(request_names(), len(arrivals)), strict=True))

    def renamed(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(name_of[name] for name in names)

    steps = tuple(
        Step(
            finished=renamed(step.finished),
            unscheduled=renamed(step.unscheduled),
            new=tuple(replace(arrival, name=name_of[arrival.name]) for arrival in step.new),
            resumed=renamed(step.resumed),
            swaps=step.swaps,
            partial=renamed(step.partial),
            accepted=renamed(step.accepted),
        )
        for step in history.steps
    )
    return replace(history, steps=steps)
