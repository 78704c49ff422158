"""From bytes to histories. Every byte string is a valid history, so nothing that hypothesis draws is thrown away.

One step is `WIDTH` bytes. All zeros is an idle step, and smaller bytes mean fewer requests and less happening, which is
what hypothesis shrinks towards. The kinds of step are weighted towards the corners where processors fail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum, auto

from .expected import expected
from .hazards import Hazard
from .history import Arrival, History, Step, request_names

WIDTH = 12
TEMPO, WHO, LEAVE, COME, PARAMS, STRIDE, PROMPT, OUTPUTS, ROW, SCRIPT, SWAP, PARTIAL = range(WIDTH)

SCRIPTS = 4
"""Tokens of a script at most: short, so that n-grams repeat."""
LOW_TOKENS = 8
"""Scripts sample from these: few, so that outputs meet the tokens that params name."""
PLAIN_BELOW = 112
"""Nearly half of the requests are plain, however large the pool is: most faults need both sorts side by side."""
LONG_OUTPUTS = 253
LENGTHS = (40, 140, 70, 40, 270, 140, 40, 70)
"""Outputs of one arrival in 80: more than a small buffer holds, or than a byte counts."""
RESUMED_WITH_OUTPUTS = 224
"""One arrival in eight comes with outputs."""
SWAPPING = 112
"""More than half of the steps that do something also reorder."""


class Kind(Enum):
    """What a step is mainly about."""

    IDLE = auto()
    ADD = auto()
    FINISH = auto()
    REPLACE = auto()
    """As many leave as come."""
    CHURN = auto()
    """Several leave and several come, in any numbers."""
    REORDER = auto()
    FLEETING = auto()
    """Who came in the last step leaves, and others take the places."""
    UNSCHEDULE = auto()
    RESUME = auto()
    FILL = auto()
    DRAIN = auto()

    __hash__ = object.__hash__


KINDS = (
    *(Kind.IDLE,) * 5,
    *(Kind.ADD,) * 5,
    *(Kind.FINISH,) * 3,
    *(Kind.REPLACE,) * 4,
    *(Kind.CHURN,) * 6,
    *(Kind.REORDER,) * 2,
    *(Kind.FLEETING,) * 2,
    *(Kind.UNSCHEDULE,) * 2,
    *(Kind.RESUME,) * 3,
    *(Kind.FILL,) * 2,
    *(Kind.DRAIN,) * 1,
)
"""A step's kind by its first byte, as often as it stands here; idle at the front, where shrinking ends."""

INSTEAD: dict[Kind, tuple[Hazard, Kind]] = {
    Kind.UNSCHEDULE: (Hazard.RESUME, Kind.FINISH),
    Kind.RESUME: (Hazard.RESUME, Kind.ADD),
    Kind.FLEETING: (Hazard.FLEETING, Kind.REPLACE),
    Kind.CHURN: (Hazard.CHURN, Kind.REPLACE),
    Kind.FILL: (Hazard.FULL, Kind.ADD),
    Kind.DRAIN: (Hazard.EMPTY, Kind.FINISH),
}
"""The hazard that a kind needs, and the kind that takes its place where it is switched off."""
ACCEPTED_FROM = 96
"""More than half of the steps accept drafts where that hazard is on."""


class Decoder:
    """Decodes one step after another; knows who is live, who waits and who came last."""

    def __init__(self, world: History) -> None:
        self._world = world
        self._has: Callable[[Hazard], bool] = world.hazards.__contains__
        one, empty = self._has(Hazard.ONE) or world.slots == 1, self._has(Hazard.EMPTY)
        self._least = 0 if empty and one else 1 if one else 2
        """Requests that stay in the batch, once there are any."""
        self._most = world.slots if self._has(Hazard.FULL) else max(self._least, world.slots - 1, 1)
        self._names = request_names()
        self._live: list[str] = []
        self._waiting: list[str] = []
        self._fresh: list[str] = []

    def step(self, data: Sequence[int]) -> Step:
        """`WIDTH` bytes to a step that is valid in the present batch."""
        kind = KINDS[data[TEMPO] * len(KINDS) >> 8]
        needed, instead = INSTEAD.get(kind, (None, kind))
        if needed is not None and not self._has(needed):
            kind = instead
        if kind is Kind.IDLE:
            self._fresh = []
            return self._sampled(Step(), data)
        if not self._live and kind is not Kind.RESUME:
            kind = Kind.ADD  # nothing else can happen to an empty batch, and it must not stay empty for long
        leaving = self._leaving(kind, data)
        if not self._has(Hazard.FLEETING):
            leaving = [name for name in leaving if name not in self._fresh]
        unscheduled = leaving if kind is Kind.UNSCHEDULE else []
        resumed = self._resumed(kind, data, len(leaving))
        arrivals = self._arrivals(kind, data, len(leaving), len(resumed))
        if not self._has(Hazard.CHURN) and len(leaving) > 1:
            arrivals = arrivals[:1]
        leaving = leaving[: max(0, len(self._live) + len(arrivals) + len(resumed) - self._least)]
        size = len(self._live) - len(leaving) + len(arrivals) + len(resumed)
        step = Step(
            finished=() if unscheduled else tuple(leaving),
            unscheduled=tuple(unscheduled),
            new=tuple(arrivals),
            resumed=tuple(resumed),
            swaps=_swaps(kind, data, size)[: None if self._has(Hazard.CYCLES) else 1],
        )
        self._follow(step)
        return self._sampled(step, data)

    def _leaving(self, kind: Kind, data: Sequence[int]) -> list[str]:
        live = self._live
        match kind:
            case Kind.DRAIN:
                return list(live)
            case Kind.FLEETING:
                return [name for name in live if name in self._fresh]
            case Kind.FINISH | Kind.REPLACE | Kind.CHURN | Kind.UNSCHEDULE if live:
                at_once = 1 + data[LEAVE] % 3 if self._has(Hazard.CHURN) else 1
                chosen = [name for slot, name in enumerate(live) if data[WHO] >> slot % 8 & 1]
                return chosen[:at_once] or [live[data[LEAVE] % len(live)]]
        return []

    def _resumed(self, kind: Kind, data: Sequence[int], leaving: int) -> list[str]:
        room = self._most - len(self._live) + leaving
        if kind is Kind.RESUME or (kind in (Kind.CHURN, Kind.FILL) and data[COME] & 1):
            return self._waiting[: min(room, 1 + data[COME] // 64 if self._has(Hazard.CHURN) else 1)]
        return []

    def _arrivals(self, kind: Kind, data: Sequence[int], leaving: int, resumed: int) -> list[Arrival]:
        room = self._most - len(self._live) + leaving - resumed
        wanted = {
            Kind.ADD: 1 + data[COME] % 3 if self._has(Hazard.CHURN) else 1,
            Kind.REPLACE: leaving,
            Kind.CHURN: data[COME] % 5,
            Kind.FLEETING: max(0, leaving - data[COME] % 2),
            Kind.FILL: room,
        }.get(kind, 0)
        wanted = max(wanted, self._least - len(self._live) + leaving - resumed)
        return [self._arrival(data, ordinal) for ordinal in range(min(wanted, room))]

    def _arrival(self, data: Sequence[int], ordinal: int) -> Arrival:
        world = self._world
        prompt = (data[PROMPT] + ordinal) % (len(world.prompts) + self._has(Hazard.NO_PROMPT))
        script = tuple(
            (data[SCRIPT] * (place + 1) + ordinal) % min(LOW_TOKENS, world.vocab)
            for place in range(1 + data[SCRIPT] % SCRIPTS)
        )
        resumed = data[OUTPUTS] >= RESUMED_WITH_OUTPUTS and self._has(Hazard.RESUME)
        outputs = script * 2 if resumed else ()
        outputs = outputs[: 1 + data[OUTPUTS] % 8]
        if resumed and data[OUTPUTS] >= LONG_OUTPUTS:
            length = LENGTHS[data[ROW] % len(LENGTHS)]
            outputs = (script * length)[:length]
        return Arrival(
            name=next(self._names),
            params=which_params(data[PARAMS] + ordinal * data[STRIDE], len(world.params)),
            prompt=None if prompt == len(world.prompts) else prompt,
            outputs=outputs,
            row=(data[ROW] + 7 * ordinal) % 64,
            script=script,
        )

    def _sampled(self, step: Step, data: Sequence[int]) -> Step:
        """With whose sampled token is thrown away, and who gets more than one."""
        partial: tuple[str, ...] = ()
        accepted: tuple[str, ...] = ()
        # A chunked prefill concerns who has just come; a few others stand for a request whose prefill is long.
        if data[PARTIAL] >= 208 and self._has(Hazard.CHUNKED):
            partial = tuple(
                name
                for slot, name in enumerate(self._live)
                if name in self._fresh or data[PARTIAL] >> slot % 6 & 1
            )
        if data[PARTIAL] >= ACCEPTED_FROM and self._has(Hazard.SEVERAL):
            accepted = tuple(
                name
                for slot, name in enumerate(self._live)
                for _ in range((data[PARTIAL] >> slot % 4) % 3)
                if name not in partial
            )
        return replace(step, partial=partial, accepted=accepted) if partial or accepted else step

    def _follow(self, step: Step) -> None:
        newcomers = [*(arrival.name for arrival in step.new), *step.resumed]
        slot_of = {name: slot for slot, name in enumerate(self._live)}
        slots = tuple(sorted(slot_of[name] for name in (*step.finished, *step.unscheduled)))
        order = expected(len(self._live), slots, len(newcomers), step.swaps, self._world.dialect).order
        names = [*self._live, *newcomers]
        self._live = [names[number] for number in order]
        self._waiting = [name for name in self._waiting if name not in step.resumed] + list(step.unscheduled)
        self._fresh = newcomers


def which_params(number: int, pool: int) -> int:
    """A position in a pool of params whose first are plain; small numbers, where shrinking ends, mean those."""
    byte = number & 255
    return 0 if byte < PLAIN_BELOW or pool == 1 else 1 + byte % (pool - 1)


def _swaps(kind: Kind, data: Sequence[int], size: int) -> tuple[tuple[int, int], ...]:
    """None, one, two, a cycle through three slots, or the batch reversed."""
    shape = data[SWAP]
    if size < 2 or (shape < SWAPPING and kind is not Kind.REORDER):
        return ()
    left = shape % size
    right = (left + 1 + data[WHO] % (size - 1)) % size
    match shape >> 2 & 7:
        case 0 | 1 | 2:
            return ((left, right),)
        case 3 | 4:
            return ((0, size - 1), (left, right))
        case 5 | 6 if size > 2:
            third = next(slot for slot in range(size) if slot not in (left, right))
            return ((left, right), (right, third))
    return tuple((slot, size - 1 - slot) for slot in range(size // 2))


def decode(world: History, steps: Sequence[bytes]) -> History:
    """The history whose steps the byte strings say. world: a history whose steps are not read."""
    decoder = Decoder(world)
    return replace(world, steps=tuple(decoder.step(data) for data in steps))
