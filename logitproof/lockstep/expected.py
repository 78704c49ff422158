"""The model's word on one step, remembered: it depends on slot numbers only, and most steps repeat an earlier one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from logitproof.impl.request import Request
from logitproof.model import Update, replay, step
from logitproof.model.batch import Batch
from logitproof.model.concrete import Concrete, TotalMap
from logitproof.spec import BatchUpdate, Dialect, MoveDirectionality
from logitproof.spec.algebra import EMPTY, NOWHERE
from logitproof.spec.invariants import contiguous, well_formed

Swaps: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Announced:
    """An update with requests as numbers: those of the old batch by slot, then the newcomers in order."""

    batch_size: int
    removed: tuple[int, ...]
    added: tuple[tuple[int, int], ...]
    moved: tuple[tuple[int, int, MoveDirectionality], ...]


def numbered(update: BatchUpdate | None, size: int, newcomers: Sequence[Request]) -> Announced | None:
    """The update with requests as numbers. A newcomer is known by its output list, which processors share (C5)."""
    if update is None:
        return None
    number_of = {id(request.output_token_ids): size + number for number, request in enumerate(newcomers)}
    added = tuple([(index, number_of.get(id(outputs), -1)) for index, _, _, outputs in update.added])
    return Announced(update.batch_size, tuple(update.removed), added, tuple(update.moved))


@dataclass(frozen=True, slots=True)
class Expected:
    """What must come out of a step: who sits where (as numbers), what is announced, and the broken invariants."""

    order: tuple[int, ...]
    announced: Announced | None
    broken: tuple[str, ...]


@lru_cache(maxsize=1 << 16)
def expected(size: int, finished: tuple[int, ...], arrivals: int, swaps: Swaps, dialect: Dialect) -> Expected:
    """One step of the model on a batch of `size` requests; `finished` are slots.

    Swaps are the last phase of a step and see a contiguous batch: asked for apart, both parts are mostly known already.
    """
    first = by_the_model(size, finished, arrivals, (), dialect)
    return _then(first, by_the_model(len(first.order), (), 0, swaps, dialect)) if swaps else first


def _then(first: Expected, last: Expected) -> Expected:
    """A step and its swaps."""
    order = tuple([first.order[number] for number in last.order])
    earlier, later = first.announced, last.announced
    if earlier is None or later is None:
        announced = earlier or later
    else:
        announced = Announced(later.batch_size, earlier.removed, earlier.added, earlier.moved + later.moved)
    return Expected(order, announced, first.broken + last.broken)


@lru_cache(maxsize=1 << 16)
def by_the_model(
    size: int, finished: tuple[int, ...], arrivals: int, swaps: Swaps, dialect: Dialect
) -> Expected:
    """The step itself."""
    outcome = step(range(size), finished, range(size, size + arrivals), swaps, dialect)
    update = outcome.update
    announced = None
    if update is not None:
        announced = Announced(update.batch_size, (*update.removed,), (*update.added,), (*update.moved,))
    reading = Concrete(bound=size + arrivals + 1)
    broken = [law.__name__ for law in (well_formed, contiguous) if not law(reading, outcome.state.batch)]
    if announced is not None and replayed(size, announced) != tuple(outcome.batch):
        broken.append("replay_gives_the_batch")
    return Expected(tuple(outcome.batch), announced, tuple(broken))


@lru_cache(maxsize=1 << 16)
def replayed(size: int, announced: Announced | None) -> tuple[int | None, ...]:
    """An update read by C1 on a batch of `size` requests; None marks a hole."""
    if announced is None:
        return tuple(range(size))
    added: list[tuple[int, int | None]] = [*announced.added]
    update = Update(announced.batch_size, [*announced.removed], added, [*announced.moved])
    return tuple(replay(range(size), update))


@lru_cache(maxsize=1 << 16)
def broken_by(order: tuple[int, ...]) -> tuple[str, ...]:
    """The invariants of spec/ that an engine's batch breaks, evaluated concretely on its list of requests."""
    bound = max((len(order), *order), default=0) + 2
    where = TotalMap(NOWHERE, {request: slot for slot, request in enumerate(order)})
    batch = Batch(TotalMap.of(order, EMPTY), where, len(order))
    return tuple(law.__name__ for law in (well_formed, contiguous) if not law(Concrete(bound), batch))
