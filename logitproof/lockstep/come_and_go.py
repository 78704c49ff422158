"""A long history in which a few slots are used by one request after the other: what is kept for each adds up."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, islice

from logitproof.spec import Dialect
from logitproof.targets import Target

from .alone import PROMPT, drawn_params
from .driver import run
from .finding import Finding
from .history import Arrival, History, Step
from .oracles.growth import LONG, MARKS, Growth
from .plain import PLAIN
from .watchdog import no_beat

MOST_DRAWN = 12
"""So few that whatever is kept by content is kept before the first part is over."""
SLOTS = 3
LONGER = 4 * LONG
"""Steps in which a window of a thousand entries is full before the end."""


def many_requests(
    target: Target, dtype: str, beat: Callable[[], None] = no_beat
) -> tuple[History, tuple[Finding, ...]]:
    """Play such a history, with every oracle watching; the findings are empty if it was clean. beat: see `run`.

    What grows must go on to grow: a window of the last few hundred things is full at last.
    """
    history = come_and_go(target, dtype)
    faults = run(history, target, beat=beat).faults
    if faults and faults[0].oracle == Growth.code:
        faults = faults if run(come_and_go(target, dtype, LONGER), target, beat=beat).faults else ()
    return history, faults


def come_and_go(target: Target, dtype: str, length: int = LONG) -> History:
    """Every step one request finishes and one comes; every third two, by a refill and a move; some are resumed."""
    pool = (PLAIN, *drawn_params(target, target.vocab, MOST_DRAWN))
    numbers = count()

    def arrivals(how_many: int) -> tuple[Arrival, ...]:
        return tuple(
            Arrival(
                name=f"R{number}",
                params=number % len(pool),
                prompt=number % 2,
                row=number % 64,
                script=(number % 8, (number + 3) % 8),
            )
            for number in islice(numbers, how_many)
        )

    new = arrivals(SLOTS)
    live = [arrival.name for arrival in new]
    steps = [Step(new=new)]
    waiting: tuple[str, ...] = ()
    for number in range(1, length):
        if (number + 1) % (LONG // MARKS) == 0:  # sizes are taken while nobody is there
            steps.append(Step(finished=tuple(live)))
            live = []
            continue
        if not live:
            new = arrivals(SLOTS - len(waiting))
            steps.append(Step(new=new, resumed=waiting))
            live, waiting = [*(arrival.name for arrival in new), *waiting], ()
            continue
        leaving = (live[0],) if number % 3 else (live[0], live[1])
        unscheduled = leaving[:1] if number % 7 == 0 else ()
        new = arrivals(len(leaving) - len(waiting))
        swaps = ((0, SLOTS - 1),) if number % 5 == 0 else ()
        steps.append(
            Step(
                finished=leaving[len(unscheduled) :],
                unscheduled=unscheduled,
                new=new,
                resumed=waiting,
                swaps=swaps,
            )
        )
        live = [*live[len(leaving) :], *(arrival.name for arrival in new), *waiting]
        waiting = unscheduled
    return History(
        tuple(steps), pool, (PROMPT, PROMPT[:1]), Dialect.ELIDED, slots=SLOTS, vocab=target.vocab, dtype=dtype
    )
