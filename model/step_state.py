"""Everything that exists while the engine builds one update: the plan, the batch, cursors and the record so far."""

from __future__ import annotations

from dataclasses import dataclass

from logitproof.spec.algebra import EMPTY, NOWHERE, Algebra, Bool, Int, Map

from .batch import Batch
from .sorts import COUNT, FLAG, ORDINAL, REQUEST, SLOT, mapping, nested, number


@dataclass(frozen=True, slots=True)
class Plan:
    """What is decided before the step begins; no rule changes it.

    `arrivals` lists the new requests, `arrival_of` is its inverse. `swap_source` and `swap_destination` list the
    swaps that the attention backend wants.
    """

    old: Batch = nested(Batch)
    finished: Map = mapping(SLOT, FLAG)
    arrivals: Map = mapping(ORDINAL, REQUEST)
    arrival_of: Map = mapping(REQUEST, ORDINAL)
    arrival_count: Int = number(COUNT)
    swap_source: Map = mapping(ORDINAL, SLOT)
    swap_destination: Map = mapping(ORDINAL, SLOT)
    swap_count: Int = number(COUNT)


@dataclass(frozen=True, slots=True)
class Moves:
    """The moves recorded so far, in order."""

    source: Map = mapping(ORDINAL, SLOT)
    destination: Map = mapping(ORDINAL, SLOT)
    one_way: Map = mapping(ORDINAL, FLAG)
    length: Int = number(COUNT)


@dataclass(frozen=True, slots=True)
class Record:
    """The update under construction.

    Two ghosts, for the proofs: `placed` says where each arrival was added, `filler` which move filled a slot.
    """

    added: Map = mapping(SLOT, REQUEST)
    placed: Map = mapping(ORDINAL, SLOT)
    removed: Map = mapping(SLOT, FLAG)
    filler: Map = mapping(SLOT, ORDINAL)
    moves: Moves = nested(Moves)


@dataclass(frozen=True, slots=True)
class StepState:
    """`cursor` walks the old slots, `taken` the arrivals, `low` and `high` close in on the holes, `swapped` the swaps.

    `condensed` counts the moves that condense made.
    """

    plan: Plan = nested(Plan)
    batch: Batch = nested(Batch)
    record: Record = nested(Record)
    cursor: Int = number(COUNT)
    taken: Int = number(COUNT)
    low: Int = number(COUNT)
    high: Int = number(SLOT)
    condensed: Int = number(COUNT)
    swapped: Int = number(COUNT)


def begin(L: Algebra, plan: Plan) -> StepState:
    """The state before the first rule fires."""
    nowhere = L.everywhere(NOWHERE)
    return StepState(
        plan=plan,
        batch=plan.old,
        record=Record(
            added=L.everywhere(EMPTY),
            placed=nowhere,
            removed=L.everywhere(False),
            filler=nowhere,
            moves=Moves(source=nowhere, destination=nowhere, one_way=L.everywhere(False), length=0),
        ),
        cursor=0,
        taken=0,
        low=0,
        high=0,
        condensed=0,
        swapped=0,
    )


def append_move(L: Algebra, moves: Moves, source: Int, destination: Int, one_way: Bool) -> Moves:
    """The list of moves with one more at its end."""
    return Moves(
        source=L.put(moves.source, moves.length, source),
        destination=L.put(moves.destination, moves.length, destination),
        one_way=L.put(moves.one_way, moves.length, one_way),
        length=moves.length + 1,
    )
