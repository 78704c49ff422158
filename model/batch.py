"""The persistent batch as request slots, and what Remove, Add, Move and Swap do to it (laws A1 to A4).

Producer and consumer of an update use these same four definitions: the engine's rules fire them while it builds an
update, and `replay` fires them while a processor would read it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from logitproof.spec.algebra import EMPTY, NOWHERE, Algebra, Int, Map

from .sorts import COUNT, REQUEST, SLOT, mapping, number


@dataclass(frozen=True, slots=True)
class Batch:
    """Slots in any of the readings. `where` is a ghost: no rule reads it, the proofs use it to follow a request."""

    slots: Map = mapping(SLOT, REQUEST)
    where: Map = mapping(REQUEST, SLOT)
    size: Int = number(COUNT)


def remove(L: Algebra, batch: Batch, index: Int) -> Batch:
    """A1: slot `index` becomes empty."""
    request = L.at(batch.slots, index)
    return replace(
        batch,
        slots=L.put(batch.slots, index, EMPTY),
        where=L.put(batch.where, request, NOWHERE),
    )


def add(L: Algebra, batch: Batch, index: Int, request: Int) -> Batch:
    """A2: the request takes slot `index`; an occupant is discarded; just past the end the batch grows."""
    occupant = L.at(batch.slots, index)
    return replace(
        batch,
        slots=L.put(batch.slots, index, request),
        where=L.put(L.put(batch.where, occupant, NOWHERE), request, index),
        size=L.choose(index < batch.size, batch.size, index + 1),
    )


def move(L: Algebra, batch: Batch, source: Int, destination: Int) -> Batch:
    """A3: the request at `source` goes to `destination`; `source` becomes empty; an occupant is discarded."""
    request = L.at(batch.slots, source)
    occupant = L.at(batch.slots, destination)
    return replace(
        batch,
        slots=L.put(L.put(batch.slots, destination, request), source, EMPTY),
        where=L.put(L.put(batch.where, occupant, NOWHERE), request, destination),
    )


def swap(L: Algebra, batch: Batch, source: Int, destination: Int) -> Batch:
    """A4: the two slots exchange their requests."""
    one = L.at(batch.slots, source)
    other = L.at(batch.slots, destination)
    return replace(
        batch,
        slots=L.put(L.put(batch.slots, source, other), destination, one),
        where=L.put(L.put(batch.where, one, destination), other, source),
    )
