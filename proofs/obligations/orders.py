"""C3: the phase orders other than C1 that are harmless after all, cell by cell; `..witnesses` refutes the rest."""

from __future__ import annotations

from collections.abc import Iterator

from logitproof.spec import Dialect
from logitproof.spec.algebra import EMPTY, Algebra, Bool

from ..obligation import Case, Sequent, Text, holds, obligation
from .announcing import FINISHED
from .condensing import ENTRY
from .replaying import Watched, after_removes_and_adds, agrees_off_stale_slots


def _adds_before_removes(dialect: Dialect) -> Iterator[Case]:
    def statement(L: Algebra, text: Text, w: Watched) -> Sequent:
        announces = getattr(text, dialect.value)
        added = w.engine.record.added
        return Sequent(
            lambda: holds(L, FINISHED, w.engine),
            lambda: L.every_slot(
                lambda i: (
                    L.choose(
                        L.at(w.announced, i),
                        EMPTY,
                        L.choose(L.at(added, i) != EMPTY, L.at(added, i), L.at(w.engine.plan.old.slots, i)),
                    )
                    == after_removes_and_adds(L, w, i)
                )
            ),
            lambda: [L.every_slot(lambda i: L.same(L.at(w.announced, i), announces(L, w.engine, i)))],
        )

    yield Case((dialect.value,), Watched, statement)


@obligation("C3")
def adds_before_removes_is_harmless_in_the_documented_dialect() -> Iterator[Case]:
    """For every step: no slot is both added and removed, so the two phases may change places before the moves."""
    yield from _adds_before_removes(Dialect.DOCUMENTED)


@obligation("C3")
def adds_before_removes_is_harmless_in_the_elided_dialect() -> Iterator[Case]:
    """For every step: no slot is both added and removed, so the two phases may change places before the moves."""
    yield from _adds_before_removes(Dialect.ELIDED)


@obligation("C3")
def removes_last_is_harmless_in_the_elided_dialect() -> Iterator[Case]:
    """For every step: a consumer that has read the adds and moves, and none of the removes, is stale exactly in the
    slots that elided announces; removing those last gives the engine's list of slots."""

    def nothing_announced(L: Algebra, w: Watched) -> Bool:
        return L.every_slot(lambda i: L.negate(L.at(w.announced, i)))

    def start(L: Algebra, text: Text, w: Watched) -> Sequent:
        added, old = w.engine.record.added, w.engine.plan.old.slots

        def reads() -> Bool:
            return L.every_slot(
                lambda i: (
                    L.at(w.view.slots, i) == L.choose(L.at(added, i) != EMPTY, L.at(added, i), L.at(old, i))
                )
            )

        return Sequent(
            lambda: [*holds(L, ENTRY, w.engine), nothing_announced(L, w), reads()],
            lambda: agrees_off_stale_slots(L, w),
        )

    def end(L: Algebra, text: Text, w: Watched) -> Sequent:
        return Sequent(
            lambda: [*holds(L, FINISHED, w.engine), nothing_announced(L, w), agrees_off_stale_slots(L, w)],
            lambda: L.every_slot(
                lambda i: (
                    L.choose(text.elided(L, w.engine, i), EMPTY, L.at(w.view.slots, i))
                    == L.at(w.engine.batch.slots, i)
                )
            ),
        )

    yield Case((), Watched, start)
    yield Case(("elided",), Watched, end)
