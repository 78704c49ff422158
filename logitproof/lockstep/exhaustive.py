"""Every history within a small scope, each once up to renaming of its requests.

A step of such a history is: any slots whose requests leave; any number of requests that come, each of any kind; any
requests that left before and come back; any reordering of the batch, cycles included. Requests are named in the order
in which they arrive, so that no two histories are equal but for names. Whether a request that leaves has finished or
waits is seen only if it comes back: one that never does has finished. A step in which an empty batch stays empty is
left out; a shorter history is the beginning of a longer one, whose steps are all judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations, islice, permutations, product
from math import comb, factorial

from .expected import expected
from .history import Arrival, History, Step, request_names
from .scope import Scope

Swaps = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """What may happen in one step. leaving: slots. new: kinds, as they arrive. resumed: positions among the gone."""

    leaving: tuple[int, ...]
    new: tuple[int, ...]
    resumed: tuple[int, ...]
    swaps: Swaps


def choices(size: int, gone: int, slots: int, kinds: int) -> Iterator[Choice]:
    """Every step on a batch of `size` requests, of which `gone` have left before."""
    for count in range(size + 1):
        for leaving in combinations(range(size), count):
            room = slots - size + count
            for coming in range(room + 1):
                for back in range(min(room - coming, gone) + 1):
                    after = size - count + coming + back
                    if not size and not after:
                        continue
                    for new in product(range(kinds), repeat=coming):
                        for resumed in combinations(range(gone), back):
                            for swaps in reorderings(after):
                                yield Choice(leaving, new, resumed, swaps)


@lru_cache(maxsize=16)
def reorderings(size: int) -> tuple[Swaps, ...]:
    """Swaps that lead to every order of the batch, as few as will do; none at all first."""
    found = []
    for order in permutations(range(size)):
        current, swaps = list(range(size)), []
        for slot, wanted in enumerate(order):
            if current[slot] != wanted:
                other = current.index(wanted)
                current[slot], current[other] = current[other], current[slot]
                swaps.append((slot, other))
        found.append(tuple(swaps))
    return tuple(found)


def how_many(scope: Scope) -> int:
    """The number of histories, without going through them.

    From n requests with d gone, there are C(n, l) ways to choose l that leave, kinds^a for a that come, C(d, r) for r
    that come back, and m! orders of the m = n - l + a + r that are there then.
    """

    @cache
    def after(size: int, gone: int, left: int) -> int:
        if not left:
            return 1
        total = 0
        for leaving in range(size + 1):
            room = scope.slots - size + leaving
            for coming in range(room + 1):
                for back in range(min(room - coming, gone) + 1):
                    there = size - leaving + coming + back
                    if size or there:
                        ways = comb(size, leaving) * scope.kinds**coming * comb(gone, back) * factorial(there)
                        total += ways * after(there, gone - back + leaving, left - 1)
        return total

    return after(0, 0, scope.steps)


def every_history(scope: Scope, world: History) -> Iterator[History]:
    """All of them. world: a history whose steps are not read; params at position k are those of kind k."""
    names = tuple(islice(request_names(), scope.slots * scope.steps))

    def grown(steps: list[Step], live: Sequence[str], gone: Sequence[str], came: int) -> Iterator[list[Step]]:
        if len(steps) == scope.steps:
            yield steps
            return
        for choice in choices(len(live), len(gone), scope.slots, scope.kinds):
            arrivals = tuple(
                Arrival(
                    names[came + ordinal], kind, row=7 * (came + ordinal) % 64, script=((came + ordinal) % 8,)
                )
                for ordinal, kind in enumerate(choice.new)
            )
            leaving = [live[slot] for slot in choice.leaving]
            back = [gone[place] for place in choice.resumed]
            step = Step(finished=tuple(leaving), new=arrivals, resumed=tuple(back), swaps=choice.swaps)
            newcomers = [*(arrival.name for arrival in arrivals), *back]
            order = expected(len(live), choice.leaving, len(newcomers), choice.swaps, world.dialect).order
            everyone = [*live, *newcomers]
            yield from grown(
                [*steps, step],
                [everyone[number] for number in order],
                [*(name for name in gone if name not in back), *leaving],
                came + len(arrivals),
            )

    for steps in grown([], (), (), 0):
        yield replace(world, steps=_with_waiting(steps))


def _with_waiting(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Those who come back have not finished when they leave."""
    settled: list[Step] = []
    returning: list[str] = []
    for step in reversed(steps):
        waiting = tuple(name for name in step.finished if name in returning)
        returning = [name for name in returning if name not in waiting] + list(step.resumed)
        if waiting:
            finished = tuple(name for name in step.finished if name not in waiting)
            step = replace(step, finished=finished, unscheduled=waiting)  # noqa: PLW2901
        settled.append(step)
    return tuple(reversed(settled))
