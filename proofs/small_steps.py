"""Steps of small batches, smallest first, and a few large ones: where witnesses are found and the model is watched."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations, product
from random import Random

from logitproof.model import Outcome, draw_step, step
from logitproof.spec import Dialect

NAMES = "ABCDEFGHIJKL"
NEWCOMERS = "WXYZUVST"


@dataclass(frozen=True, slots=True)
class SmallStep:
    """A batch and what happens to it, with requests named by letters."""

    batch: tuple[str, ...]
    finished: tuple[str, ...]
    new: tuple[str, ...]
    swaps: tuple[tuple[int, int], ...]

    @property
    def size(self) -> int:
        """How much there is to understand in it."""
        return len(self.batch) + len(self.finished) + len(self.new) + len(self.swaps)

    def take(self, dialect: Dialect = Dialect.DOCUMENTED) -> Outcome[str]:
        """Run it on the model."""
        return step(self.batch, self.finished, self.new, self.swaps, dialect)

    def draw(self) -> str:
        """The step as the contract draws one."""
        return draw_step(self.batch, self.finished, self.new, self.swaps)


@cache
def small_steps(slots: int, arrivals: int, swaps: int) -> tuple[SmallStep, ...]:
    """Every step from at most `slots` requests with at most `arrivals` new ones and `swaps` swaps, smallest first."""
    return tuple(sorted(_steps(slots, arrivals, swaps), key=lambda small: small.size))


def large_steps(count: int) -> Iterator[SmallStep]:
    """Some steps of up to twelve requests with many finished, new and swapped, always the same ones."""
    random = Random(0)
    for _ in range(count):
        size, coming = random.randint(6, len(NAMES)), random.randint(0, len(NEWCOMERS))
        batch, new = tuple(NAMES[:size]), tuple(NEWCOMERS[:coming])
        finished = tuple(sorted(random.sample(batch, random.randint(0, size))))
        final = size - len(finished) + coming
        wanted = random.randint(0, 6) if final > 1 else 0
        swaps = tuple((one, other) for one, other in (random.sample(range(final), 2) for _ in range(wanted)))
        yield SmallStep(batch, finished, new, swaps)


def _steps(slots: int, arrivals: int, swaps: int) -> Iterator[SmallStep]:
    for size, coming in product(range(slots + 1), range(arrivals + 1)):
        batch, new = tuple(NAMES[:size]), tuple(NEWCOMERS[:coming])
        for leaving in range(size + 1):
            pairs = list(permutations(range(size - leaving + coming), 2))
            for finished in combinations(batch, leaving):
                for count in range(swaps + 1):
                    for wanted in permutations(pairs, count):
                        yield SmallStep(batch, finished, new, wanted)
