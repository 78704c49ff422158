"""Section A: what Remove, Add, Move and Swap do to a batch, and that each keeps the batch invariant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from logitproof.model.batch import Batch
from logitproof.model.sorts import REQUEST, SLOT, nested, number
from logitproof.spec.algebra import EMPTY, NOWHERE, Algebra, Bool, Int
from logitproof.spec.invariants import well_formed

from ..obligation import Case, Sequent, Text, obligation


@dataclass(frozen=True, slots=True)
class Operands:
    """An arbitrary batch, two slots and a request."""

    batch: Batch = nested(Batch)
    index: Int = number(SLOT)
    other: Int = number(SLOT)
    request: Int = number(REQUEST)


def _live(L: Algebra, batch: Batch, index: Int) -> Bool:
    return L.all_of(index >= 0, index < batch.size, L.at(batch.slots, index) != EMPTY)


def _elsewhere_unchanged(L: Algebra, before: Batch, after: Batch, *touched: Int) -> Bool:
    return L.every_slot(
        lambda i: L.any_of(*(i == slot for slot in touched), L.at(after.slots, i) == L.at(before.slots, i))
    )


def _case(
    about: str,
    assumed: Callable[[Algebra, Operands], list[Bool]],
    after: Callable[[Algebra, Text, Operands], Batch],
    claim: Callable[[Algebra, Operands, Batch], Bool],
) -> Case:
    def statement(L: Algebra, text: Text, o: Operands) -> Sequent:
        return Sequent(
            lambda: [*assumed(L, o), well_formed(L, o.batch)],
            lambda: claim(L, o, after(L, text, o)),
        )

    return Case((about,), Operands, statement)


def _removed(L: Algebra, text: Text, o: Operands) -> Batch:
    return text.remove(L, o.batch, o.index)  # type: ignore[no-any-return]


def _added(L: Algebra, text: Text, o: Operands) -> Batch:
    return text.add(L, o.batch, o.index, o.request)  # type: ignore[no-any-return]


def _moved(L: Algebra, text: Text, o: Operands) -> Batch:
    return text.move(L, o.batch, o.index, o.other)  # type: ignore[no-any-return]


def _swapped(L: Algebra, text: Text, o: Operands) -> Batch:
    return text.swap(L, o.batch, o.index, o.other)  # type: ignore[no-any-return]


def _can_remove(L: Algebra, o: Operands) -> list[Bool]:
    return [_live(L, o.batch, o.index)]


def _can_add(L: Algebra, o: Operands) -> list[Bool]:
    newcomer = L.all_of(o.request >= 0, L.at(o.batch.where, o.request) == NOWHERE)
    return [o.index >= 0, o.index <= o.batch.size, newcomer]


def _can_move(L: Algebra, o: Operands) -> list[Bool]:
    return [_live(L, o.batch, o.index), o.other >= 0, o.other < o.batch.size, o.index != o.other]


def _can_swap(L: Algebra, o: Operands) -> list[Bool]:
    return [_live(L, o.batch, o.index), _live(L, o.batch, o.other), o.index != o.other]


@obligation("A1")
def remove_empties_its_slot_and_discards_the_request() -> Iterator[Case]:
    """For every batch and live slot: Remove leaves that slot empty, its request nowhere, all else as it was."""
    yield _case(
        "remove",
        _can_remove,
        _removed,
        lambda L, o, after: L.all_of(
            L.at(after.slots, o.index) == EMPTY,
            L.at(after.where, L.at(o.batch.slots, o.index)) == NOWHERE,
            _elsewhere_unchanged(L, o.batch, after, o.index),
            after.size == o.batch.size,
        ),
    )


@obligation("A2")
def add_takes_its_slot_and_discards_the_occupant() -> Iterator[Case]:
    """For every batch, slot up to the end and newcomer: Add puts it there, discards an occupant, and grows the batch
    by one just past the end and not otherwise."""
    yield _case(
        "add",
        _can_add,
        _added,
        lambda L, o, after: L.all_of(
            L.at(after.slots, o.index) == o.request,
            L.at(after.where, o.request) == o.index,
            L.implies(
                L.at(o.batch.slots, o.index) != EMPTY,
                L.at(after.where, L.at(o.batch.slots, o.index)) == NOWHERE,
            ),
            _elsewhere_unchanged(L, o.batch, after, o.index),
            after.size == L.choose(o.index == o.batch.size, o.batch.size + 1, o.batch.size),
        ),
    )


@obligation("A3")
def one_way_move_empties_the_source_and_discards_the_occupant() -> Iterator[Case]:
    """For every batch, live source and other slot: the request arrives, the source is empty, an occupant is gone."""
    yield _case(
        "move",
        _can_move,
        _moved,
        lambda L, o, after: L.all_of(
            L.at(after.slots, o.other) == L.at(o.batch.slots, o.index),
            L.at(after.slots, o.index) == EMPTY,
            L.implies(
                L.at(o.batch.slots, o.other) != EMPTY,
                L.at(after.where, L.at(o.batch.slots, o.other)) == NOWHERE,
            ),
            _elsewhere_unchanged(L, o.batch, after, o.index, o.other),
            after.size == o.batch.size,
        ),
    )


@obligation("A4")
def swap_exchanges_two_slots_and_nothing_else() -> Iterator[Case]:
    """For every batch and two live slots: each holds the other's request afterwards, all else is as it was."""
    yield _case(
        "swap",
        _can_swap,
        _swapped,
        lambda L, o, after: L.all_of(
            L.at(after.slots, o.index) == L.at(o.batch.slots, o.other),
            L.at(after.slots, o.other) == L.at(o.batch.slots, o.index),
            _elsewhere_unchanged(L, o.batch, after, o.index, o.other),
            after.size == o.batch.size,
        ),
    )


@obligation("A1", "A2", "A3", "A4", "B8")
def every_operation_keeps_the_batch_well_formed() -> Iterator[Case]:
    """For every well-formed batch: after Remove, Add, Move or Swap requests are in range, nobody is in two slots, and
    the ghost map still says where each one is."""
    for about, assumed, after in (
        ("remove", _can_remove, _removed),
        ("add", _can_add, _added),
        ("move", _can_move, _moved),
        ("swap", _can_swap, _swapped),
    ):
        yield _case(about, assumed, after, lambda L, o, batch: well_formed(L, batch))


@obligation("C1")
def adds_and_removes_commute_when_they_name_different_slots() -> Iterator[Case]:
    """For every batch, live slot and different slot for a newcomer: Remove then Add is Add then Remove."""

    def statement(L: Algebra, text: Text, o: Operands) -> Sequent:
        def same_batch() -> Bool:
            one = text.add(L, text.remove(L, o.batch, o.index), o.other, o.request)
            other = text.remove(L, text.add(L, o.batch, o.other, o.request), o.index)
            return L.all_of(
                L.every_slot(lambda i: L.at(one.slots, i) == L.at(other.slots, i)),
                L.every_request(lambda r: L.at(one.where, r) == L.at(other.where, r)),
                one.size == other.size,
            )

        def assumed() -> list[Bool]:
            newcomer = L.all_of(o.request >= 0, L.at(o.batch.where, o.request) == NOWHERE)
            in_range = L.all_of(o.other >= 0, o.other <= o.batch.size, o.index != o.other)
            return [_live(L, o.batch, o.index), in_range, newcomer, well_formed(L, o.batch)]

        return Sequent(assumed, same_batch)

    yield Case(("remove", "add"), Operands, statement)
