"""B7 and the dialects: when there is nothing to announce, and that no dialect announces a live newcomer's slot."""

from __future__ import annotations

from collections.abc import Iterator

from logitproof.model.announce import nothing_to_announce
from logitproof.model.step_state import StepState
from logitproof.spec import Dialect
from logitproof.spec.algebra import Algebra, Bool

from .. import invariants as I
from ..obligation import Case, Invariant, Sequent, Text, holds, obligation


def all_swaps_made(L: Algebra, s: StepState) -> Bool:
    """Every swap of the plan has been made."""
    return s.swapped == s.plan.swap_count


FINISHED: Invariant = (*I.REORDERING, all_swaps_made)
"""The end of a step."""


@obligation("B7")
def the_update_is_none_iff_nothing_happened() -> Iterator[Case]:
    """At the end of every step, in each dialect: nothing is announced iff no request finished, none arrived and the
    plan had no swap."""
    for dialect in Dialect:

        def statement(L: Algebra, text: Text, s: StepState, dialect: Dialect = dialect) -> Sequent:
            def silent_iff_idle() -> Bool:
                idle = L.all_of(
                    L.every_slot(lambda i: L.negate(L.at(s.plan.finished, i))),
                    s.plan.arrival_count == 0,
                    s.plan.swap_count == 0,
                )
                return L.same(nothing_to_announce(L, s, getattr(text, dialect.value)), idle)

            return Sequent(lambda: holds(L, FINISHED, s), silent_iff_idle)

        yield Case((dialect.value,), StepState, statement)
