"""One step of the engine on a plain list of requests: the reference that everything else is compared with.

The first worked example of the contract, `[A,B,C,D]` with A and C finished, E new, then 0 and 1 swapped:

>>> outcome = step(["A", "B", "C", "D"], finished=["A", "C"], new=["E"], swaps=[(0, 1)])
>>> outcome.batch
['B', 'E', 'D']
>>> outcome.update
Update(batch_size=3, removed=[2], added=[(0, 'E')], moved=[(3, 2, UNIDIRECTIONAL), (0, 1, SWAP)])

The same step in the dialect of vLLM 0.32.0, which does not announce a hole that a move fills:

>>> step(["A", "B", "C", "D"], ["A", "C"], ["E"], [(0, 1)], dialect=Dialect.ELIDED).update.removed
[]

The second worked example, C finished, E and F new, then 0 and 1 swapped:

>>> outcome = step(["A", "B", "C", "D"], finished=["C"], new=["E", "F"], swaps=[(0, 1)])
>>> outcome.batch
['B', 'A', 'E', 'D', 'F']
>>> outcome.update
Update(batch_size=5, removed=[], added=[(2, 'E'), (4, 'F')], moved=[(0, 1, SWAP)])
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from logitproof.spec import Dialect, MoveDirectionality
from logitproof.spec.algebra import EMPTY, NOWHERE

from .announce import ANNOUNCED, nothing_to_announce
from .batch import Batch
from .concrete import CONCRETE, Concrete, TotalMap
from .condense import CONDENSE, open_condense, shrink
from .fill import EXTEND, FILL, REMOVE
from .reorder import REORDER
from .rule import Watcher, run
from .step_state import Plan, StepState, begin

Request = TypeVar("Request")


@dataclass(frozen=True, slots=True)
class Update(Generic[Request]):
    """A `BatchUpdate` that names the added requests instead of carrying their parameters."""

    batch_size: int
    removed: list[int]
    added: list[tuple[int, Request]]
    moved: list[tuple[int, int, MoveDirectionality]]

    def __repr__(self) -> str:
        moved = ", ".join(f"({source}, {destination}, {how.name})" for source, destination, how in self.moved)
        return f"Update(batch_size={self.batch_size}, removed={self.removed}, added={self.added}, moved=[{moved}])"


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Request]):
    """The batch after a step, the update that announces it (None: nothing changed), and the final abstract state."""

    batch: list[Request]
    update: Update[Request] | None
    state: StepState


def make_plan(size: int, finished: Iterable[int], arrivals: int, swaps: Sequence[tuple[int, int]]) -> Plan:
    """The plan of a step on a contiguous batch: requests are numbered by slot, new ones from `size` on."""
    return Plan(
        old=Batch(TotalMap.of(range(size), EMPTY), TotalMap.of(range(size), NOWHERE), size),
        finished=TotalMap(False, dict.fromkeys(finished, True)),
        arrivals=TotalMap.of(range(size, size + arrivals), EMPTY),
        arrival_of=TotalMap(NOWHERE, {size + ordinal: ordinal for ordinal in range(arrivals)}),
        arrival_count=arrivals,
        swap_source=TotalMap.of((source for source, _ in swaps), NOWHERE),
        swap_destination=TotalMap.of((destination for _, destination in swaps), NOWHERE),
        swap_count=len(swaps),
    )


def run_plan(plan: Plan, watch: Watcher | None = None) -> StepState:
    """Fire the rules of a whole step, in the order of the contract: fill, extend, remove, condense, shrink, reorder."""
    state = begin(CONCRETE, plan)
    for loop in (FILL, EXTEND, REMOVE):
        state = run(loop, state, watch)
    state = run(CONDENSE, open_condense(CONCRETE, state), watch)
    return run(REORDER, shrink(CONCRETE, state), watch)


def step(
    batch: Sequence[Request],
    finished: Iterable[Request] = (),
    new: Sequence[Request] = (),
    swaps: Sequence[tuple[int, int]] = (),
    dialect: Dialect = Dialect.DOCUMENTED,
    watch: Watcher | None = None,
) -> Outcome[Request]:
    """Take one engine step on a contiguous batch of distinct requests.

    Args:
        batch: the live requests, by slot.
        finished: those of them that leave.
        new: requests that arrive; one that left in this very step may come again.
        swaps: pairs of slots, exchanged in order once the batch is contiguous.

    Raises ValueError for a plan that no engine could have: an unknown or repeated request, a swap outside the batch.
    """
    slot_of = {request: slot for slot, request in enumerate(batch)}
    leaving = list(finished)
    _check_members(batch, slot_of, leaving, new)
    plan = make_plan(len(batch), (slot_of[request] for request in leaving), len(new), swaps)
    state = run_plan(plan, watch)
    if state.swapped < len(swaps):
        source, destination = swaps[state.swapped]
        raise ValueError(
            f"Expected a swap of two different slots below {state.batch.size} (the batch size once the finished have "
            f"left and the new have come) but got ({source}, {destination})"
        )
    names = [*batch, *new]
    return Outcome(
        batch=[names[number] for number in state.batch.slots.listed(state.batch.size)],
        update=announce(state, names, dialect),
        state=state,
    )


def announce(state: StepState, names: Sequence[Request], dialect: Dialect) -> Update[Request] | None:
    """The update that tells a processor of a finished step, or None (B7). `names` are the requests by number."""
    removed = [slot for slot in range(state.plan.old.size) if ANNOUNCED[dialect](CONCRETE, state, slot)]
    added = [
        (slot, names[state.record.added[slot]])
        for slot in state.record.added.keys_where(lambda number: number != EMPTY)
    ]
    moves = state.record.moves
    moved = [
        (
            moves.source[ordinal],
            moves.destination[ordinal],
            MoveDirectionality.UNIDIRECTIONAL if moves.one_way[ordinal] else MoveDirectionality.SWAP,
        )
        for ordinal in range(moves.length)
    ]
    L = Concrete(state.plan.old.size + state.plan.arrival_count + 1)
    if nothing_to_announce(L, state, ANNOUNCED[dialect]):
        return None
    return Update(state.batch.size, removed, added, moved)


def _check_members(
    batch: Sequence[Request], slot_of: dict[Request, int], leaving: list[Request], new: Sequence[Request]
) -> None:
    if len(slot_of) != len(batch):
        raise ValueError(f"Expected distinct requests but got batch={list(batch)!r}")
    strangers = [request for request in leaving if request not in slot_of]
    if strangers:
        raise ValueError(
            f"Expected finished requests to be in the batch {list(batch)!r} but {strangers!r} are not"
        )
    if len(set(leaving)) != len(leaving):
        raise ValueError(f"Expected every finished request once but got finished={leaving!r}")
    staying = slot_of.keys() - set(leaving)
    twice = [
        request for position, request in enumerate(new) if request in staying or request in new[:position]
    ]
    if twice:
        raise ValueError(
            f"Expected new requests that are not in the batch already but {twice!r} would be there twice"
        )
