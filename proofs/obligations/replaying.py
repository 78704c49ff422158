"""C1, C2: a consumer that reads an update by C1 ends with the engine's batch, in every dialect.

The consumer reads removes and adds one by one; each phase is a loop over a set of indices, in any order, and has a
closed form. Moves are read in the order in which the engine recorded them, so the consumer can be followed in step
with the engine: when the engine records a move, the consumer reads it. That is sound, since its batch after some moves
depends on nothing later. A hole that is not announced keeps its finished request until a move fills it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from logitproof.model.batch import Batch
from logitproof.model.rule import Firing
from logitproof.model.sorts import FLAG, REQUEST, SLOT, mapping, nested, number
from logitproof.model.step_state import Moves, StepState
from logitproof.spec import Dialect
from logitproof.spec.algebra import EMPTY, NOWHERE, Algebra, Bool, Int, Map

from .. import invariants as I
from ..obligation import Case, Invariant, Sequent, Text, holds, obligation
from .announcing import FINISHED
from .condensing import CONDENSED, ENTRY


@dataclass(frozen=True, slots=True)
class Reading:
    """A consumer in the middle of one phase: indices still `pending`, the slots it began with, the slots now."""

    began: Map = mapping(SLOT, REQUEST)
    listed: Map = mapping(SLOT, FLAG)
    newcomer: Map = mapping(SLOT, REQUEST)
    pending: Map = mapping(SLOT, FLAG)
    view: Batch = nested(Batch)
    index: Int = number(SLOT)


def _read_so_far(L: Algebra, r: Reading, phase: str) -> Bool:
    def expected(i: Int) -> Int:
        read = L.at(r.newcomer, i) if phase == "add" else EMPTY
        done = L.all_of(L.at(r.listed, i), L.negate(L.at(r.pending, i)))
        return L.choose(done, read, L.at(r.began, i))

    return L.every_slot(lambda i: L.at(r.view.slots, i) == expected(i))


def _phase_reads(phase: str) -> Iterator[Case]:
    def one_more(L: Algebra, text: Text, r: Reading) -> Sequent:
        def read_one_more() -> Bool:
            if phase == "add":
                view = text.add(L, r.view, r.index, L.at(r.newcomer, r.index))
            else:
                view = text.remove(L, r.view, r.index)
            return _read_so_far(L, replace(r, view=view, pending=L.put(r.pending, r.index, False)), phase)

        return Sequent(
            lambda: [L.at(r.listed, r.index), L.at(r.pending, r.index), _read_so_far(L, r, phase)],
            read_one_more,
        )

    yield Case((phase,), Reading, one_more)


@obligation("C1", "A1")
def reading_removes_empties_exactly_the_listed_slots() -> Iterator[Case]:
    """For every set of indices, in any order: after reading some of them exactly those slots are empty."""
    yield from _phase_reads("remove")


@obligation("C1", "A2")
def reading_adds_fills_exactly_the_listed_slots() -> Iterator[Case]:
    """For every set of adds at distinct indices, in any order: after reading some, exactly those slots hold them."""
    yield from _phase_reads("add")


@dataclass(frozen=True, slots=True)
class Watched:
    """The engine in the middle of a step, and a consumer that has read all removes, all adds, and the moves so far.

    `announced` is the `removed` set of the finished update, whatever it will be.
    """

    engine: StepState = nested(StepState)
    view: Batch = nested(Batch)
    announced: Map = mapping(SLOT, FLAG)


def after_removes_and_adds(L: Algebra, w: Watched, i: Int) -> Int:
    """What slot i of a consumer holds once it has read all removes and then all adds: the two closed forms in turn."""
    record = w.engine.record
    return L.choose(
        L.at(record.added, i) != EMPTY,
        L.at(record.added, i),
        L.choose(L.at(w.announced, i), EMPTY, L.at(w.engine.plan.old.slots, i)),
    )


def stale(L: Algebra, w: Watched, i: Int) -> Bool:
    """A removed slot that was not announced and that no move has filled yet: the consumer still sees the finished."""
    record = w.engine.record
    return L.all_of(
        L.at(record.removed, i), L.negate(L.at(w.announced, i)), L.at(record.filler, i) == NOWHERE
    )


def agrees_off_stale_slots(L: Algebra, w: Watched) -> Bool:
    """Consumer and engine hold the same request in every slot that is not stale."""
    return L.every_slot(
        lambda i: L.any_of(stale(L, w, i), L.at(w.view.slots, i) == L.at(w.engine.batch.slots, i))
    )


def only_finished_are_announced(L: Algebra, w: Watched) -> Bool:
    """Every dialect announces finished slots only."""
    return L.every_slot(lambda i: L.implies(L.at(w.announced, i), L.at(w.engine.plan.finished, i)))


def read_move(L: Algebra, text: Text, view: Batch, moves: Moves, ordinal: Int) -> Batch:
    """The consumer's batch once it has read one entry of `moved`."""
    source, destination = L.at(moves.source, ordinal), L.at(moves.destination, ordinal)
    moved, swapped = text.move(L, view, source, destination), text.swap(L, view, source, destination)
    one_way = L.at(moves.one_way, ordinal)
    return Batch(
        slots=L.choose(one_way, moved.slots, swapped.slots),
        where=L.choose(one_way, moved.where, swapped.where),
        size=view.size,
    )


def _in_step(rule: str, invariant: Invariant) -> Case:
    def statement(L: Algebra, text: Text, w: Watched) -> Sequent:
        firing: Firing = getattr(text, rule)(L, w.engine)
        recorded = w.engine.record.moves.length

        def still_agrees() -> Bool:
            engine = firing.effect()
            view = read_move(L, text, w.view, engine.record.moves, recorded) if rule in MOVING else w.view
            one_more = engine.record.moves.length == (recorded + 1 if rule in MOVING else recorded)
            return L.all_of(agrees_off_stale_slots(L, replace(w, engine=engine, view=view)), one_more)

        return Sequent(
            lambda: [
                only_finished_are_announced(L, w),
                agrees_off_stale_slots(L, w),
                *holds(L, invariant, w.engine),
            ],
            still_agrees,
            lambda: [firing.guard],
        )

    return Case((rule, "move" if rule == "move_down" else "swap"), Watched, statement)


MOVING = ("move_down", "exchange")
"""The rules that record a move."""


@obligation("C1", "C2")
def a_consumer_that_reads_moves_in_order_keeps_step_with_the_engine() -> Iterator[Case]:
    """For every dialect at once: after removes and adds, and after each further move, consumer and engine agree on
    every slot except removed ones that were not announced and are not filled yet."""

    def start(L: Algebra, text: Text, w: Watched) -> Sequent:
        def reads() -> Bool:
            return L.every_slot(lambda i: L.at(w.view.slots, i) == after_removes_and_adds(L, w, i))

        return Sequent(
            lambda: [*holds(L, ENTRY, w.engine), only_finished_are_announced(L, w), reads()],
            lambda: agrees_off_stale_slots(L, replace(w, engine=text.open_condense(L, w.engine))),
        )

    def cut(L: Algebra, text: Text, w: Watched) -> Sequent:
        return Sequent(
            lambda: [*holds(L, CONDENSED, w.engine), agrees_off_stale_slots(L, w)],
            lambda: agrees_off_stale_slots(L, replace(w, engine=text.shrink(L, w.engine))),
        )

    yield Case(("open_condense",), Watched, start)
    for rule in ("advance", "retreat", "move_down"):
        yield _in_step(rule, I.CONDENSING)
    yield Case(("shrink",), Watched, cut)
    yield _in_step("exchange", I.REORDERING)


def _ends_equal(dialect: Dialect) -> Iterator[Case]:
    def statement(L: Algebra, text: Text, w: Watched) -> Sequent:
        announces = getattr(text, dialect.value)
        return Sequent(
            lambda: [*holds(L, FINISHED, w.engine), agrees_off_stale_slots(L, w)],
            lambda: L.all_of(
                only_finished_are_announced(L, w),
                L.every_slot(lambda i: L.at(w.view.slots, i) == L.at(w.engine.batch.slots, i)),
            ),
            lambda: [L.every_slot(lambda i: L.same(L.at(w.announced, i), announces(L, w.engine, i)))],
        )

    yield Case((dialect.value,), Watched, statement)


@obligation("C2")
def replay_equals_the_engine_in_the_documented_dialect() -> Iterator[Case]:
    """For every step: a consumer that reads the documented update by C1 ends with the engine's list of slots."""
    yield from _ends_equal(Dialect.DOCUMENTED)


@obligation("C2")
def replay_equals_the_engine_in_the_elided_dialect() -> Iterator[Case]:
    """For every step: a consumer that reads the elided update by C1 ends with the engine's list of slots."""
    yield from _ends_equal(Dialect.ELIDED)


@obligation("C2")
def replay_equals_the_engine_in_the_redundant_dialect() -> Iterator[Case]:
    """For every step: a consumer that reads the redundant update by C1 ends with the engine's list of slots."""
    yield from _ends_equal(Dialect.REDUNDANT)


@obligation("C2", "C3")
def the_three_dialects_agree() -> Iterator[Case]:
    """For every step: elided is contained in documented, documented in redundant, and what they differ in is filled by
    an Add or a move, so that consumers of the three end with the same slots."""

    def statement(L: Algebra, text: Text, s: StepState) -> Sequent:
        def nested_sets(i: Int) -> Bool:
            few, some, many = text.elided(L, s, i), text.documented(L, s, i), text.redundant(L, s, i)
            return L.all_of(
                L.implies(few, some),
                L.implies(some, many),
                L.implies(L.all_of(some, L.negate(few)), L.at(s.record.filler, i) != NOWHERE),
                L.implies(L.all_of(many, L.negate(some)), L.at(s.record.added, i) != EMPTY),
                L.implies(few, L.at(s.batch.slots, i) == EMPTY),
            )

        return Sequent(lambda: holds(L, FINISHED, s), lambda: L.every_slot(nested_sets))

    yield Case(tuple(dialect.value for dialect in Dialect), StepState, statement)
