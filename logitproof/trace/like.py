"""Generated histories with the statistics of a recording (`fuzz --like`): arrivals, lives, swaps per step, returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from logitproof.lockstep.decode import which_params
from logitproof.lockstep.expected import expected
from logitproof.lockstep.generate import Source, worlds
from logitproof.lockstep.history import Arrival, History, Step, request_names
from logitproof.spec import Dialect
from logitproof.targets import Target

from .check import check
from .read import NotARecording
from .recording import Recording
from .statistics import Statistics

WIDTH = 8
COME, LEAVE, PARAMS, LIFE, BACK, SWAPS, WHERE, PARTIAL = range(WIDTH)
STEPS = 48
"""Steps of a history; one branch is short, and that is where shrinking ends."""
MOST_SLOTS = 32
"""Slots of a larger engine that are played: a fault needs a few requests, and every one costs a solo run."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Quantiles of what a recording saw, 256 each, ascending: a byte picks one, and smaller bytes pick less."""

    slots: int
    arrivals: tuple[int, ...]
    lives: tuple[int, ...]
    swaps: tuple[int, ...]
    returning: float
    """Of those who left, the share that came back."""


def shape_of(seen: Statistics) -> Shape:
    """The shape of a checked recording."""
    quiet = seen.steps - sum(seen.arrivals.values())
    still = seen.steps - sum(seen.swaps.values())
    return Shape(
        slots=max(1, min(seen.largest_batch, MOST_SLOTS)),
        arrivals=_quantiles(seen.arrivals + Counter({0: quiet})),
        lives=_quantiles(seen.lives or Counter({STEPS: 1})),
        swaps=_quantiles(seen.swaps + Counter({0: still})),
        returning=seen.returning / max(1, sum(seen.lives.values())),
    )


def _quantiles(counts: Counter[int]) -> tuple[int, ...]:
    values = sorted(counts.elements())
    return tuple(values[place * len(values) >> 8] for place in range(256))


def like_recordings(recordings: Sequence[Recording]) -> Source:
    """The source of histories for `--like FILE`. Raises NotARecording: one that breaks a law, or saw nothing."""
    shapes = []
    for recording in recordings:
        result = check(recording)
        if result.violations or result.is_vacuous:
            raise NotARecording(
                f"{recording.path}: {'breaks a law' if result.violations else 'holds no update'}, so its statistics "
                f"are not those of an engine; see logitproof trace {recording.path}"
            )
        shapes.append(shape_of(result.seen))

    def histories(target: Target, dialect: Dialect, vocab: int, dtype: str) -> SearchStrategy[History]:
        one = st.binary(min_size=WIDTH, max_size=WIDTH)
        lists = st.one_of(
            st.lists(one, min_size=1, max_size=6), st.lists(one, min_size=STEPS // 2, max_size=STEPS)
        )
        return st.builds(shaped, worlds(target, dialect, vocab, dtype), st.sampled_from(shapes), lists)

    return histories


def shaped(world: History, shape: Shape, steps: Sequence[bytes]) -> History:
    """The history that the bytes say, in the shape of a recording. It is always valid."""
    decoder = _Shaped(replace(world, slots=shape.slots), shape)
    return replace(decoder.world, steps=tuple(decoder.step(data) for data in steps))


class _Shaped:
    """Decodes one step after another. Who came lives for as long as the recorded requests did."""

    def __init__(self, world: History, shape: Shape) -> None:
        self.world = world
        self._shape = shape
        self._names = request_names()
        self._live: list[str] = []
        self._waiting: list[str] = []
        self._until: dict[str, int] = {}
        self._number = 0

    def step(self, data: bytes) -> Step:
        """`WIDTH` bytes to a step that is valid in the present batch."""
        shape, self._number = self._shape, self._number + 1
        leaving = [name for name in self._live if self._until[name] <= self._number]
        back = [
            name
            for place, name in enumerate(leaving)
            if (data[BACK] * (place + 3) & 255) < 256 * shape.returning
        ]
        room = shape.slots - len(self._live) + len(leaving)
        wanted = min(room, shape.arrivals[data[COME]])
        resumed = self._waiting[: min(wanted, len(self._waiting))] if data[LEAVE] & 1 else []
        new = [self._arrival(data, ordinal) for ordinal in range(wanted - len(resumed))]
        entering = [*(arrival.name for arrival in new), *resumed]
        size = len(self._live) - len(leaving) + len(entering)
        swaps = _swaps(shape.swaps[data[SWAPS]], data[WHERE], size)
        slot_of = {name: slot for slot, name in enumerate(self._live)}
        order = expected(
            len(self._live),
            tuple(sorted(slot_of[name] for name in leaving)),
            len(entering),
            swaps,
            self.world.dialect,
        ).order
        names = [*self._live, *entering]
        self._live = [names[number] for number in order]
        self._waiting = [name for name in self._waiting if name not in resumed] + back
        for name in entering:
            ordinal = entering.index(name)
            self._until[name] = self._number + max(1, shape.lives[(data[LIFE] * (ordinal + 1)) & 255])
        return Step(
            finished=tuple(name for name in leaving if name not in back),
            unscheduled=tuple(back),
            new=tuple(new),
            resumed=tuple(resumed),
            swaps=swaps,
            partial=tuple(entering) if data[PARTIAL] >= 208 else (),
        )

    def _arrival(self, data: bytes, ordinal: int) -> Arrival:
        world = self.world
        byte = data[PARAMS] + 37 * ordinal
        script = tuple((byte * (place + 1)) % min(8, world.vocab) for place in range(1 + byte % 4))
        prompt = byte % (len(world.prompts) + 1)
        return Arrival(
            name=next(self._names),
            params=which_params(byte, len(world.params)),
            prompt=None if prompt == len(world.prompts) else prompt,
            row=byte % 64,
            script=script,
        )


def _swaps(count: int, where: int, size: int) -> tuple[tuple[int, int], ...]:
    if size < 2:
        return ()
    pairs = []
    for ordinal in range(count):
        left = (where + ordinal) % size
        pairs.append((left, (left + 1 + where // size % (size - 1)) % size))
    return tuple(pairs)
