"""Which obligation kills which mutant: a proof that would also pass with the rule broken is no proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import Any

from .discharge import REAL_TEXT, Verdict, refute
from .mutation import EQUIVALENT, Mutant, mutants
from .obligation import Case, Obligation
from .reachable import READING, states

WITNESSES = 48
"""Reached states tried for each case. States take turns by kind, so this many hold several of every kind; a mutant
that needs a state which no run reaches is left to the solver."""
SOLVER_SCOPES = (2, 3)


@dataclass(frozen=True, slots=True)
class Kills:
    """A mutant, the obligations that refute it, and why none needs to, if it breaks no law."""

    mutant: Mutant
    killed_by: tuple[str, ...]
    equivalent: str | None

    @property
    def survives(self) -> bool:
        """Whether a law can be broken without any obligation noticing."""
        return not self.killed_by and self.equivalent is None

    @property
    def wrongly_excused(self) -> bool:
        """Whether a mutant that is listed as harmless was refuted after all."""
        return bool(self.killed_by) and self.equivalent is not None


def bite(obligations: Sequence[Obligation], progress: Callable[[], None] = lambda: None) -> list[Kills]:
    """Confront every mutant with every obligation that speaks of its function.

    Reached states come first, since most mutants already fail there; the solver looks for a counterexample where a
    mutant would survive or an obligation would have killed none.
    """
    killed: dict[str, list[str]] = {}
    for mutant in mutants():
        killed[mutant.name] = [o.name for o in obligations if _fails_in_a_reached_state(o, mutant)]
        progress()
    for mutant in mutants():
        if not killed[mutant.name] and mutant.name not in EQUIVALENT:
            killed[mutant.name] += (o.name for o, _ in _first_refuted((o, mutant) for o in obligations))
    with_teeth = {name for names in killed.values() for name in names}
    for obligation in (o for o in obligations if o.name not in with_teeth):
        for _, mutant in _first_refuted((obligation, m) for m in mutants()):
            killed[mutant.name].append(obligation.name)
    return [Kills(m, tuple(killed[m.name]), EQUIVALENT.get(m.name)) for m in mutants()]


def _fails(case: Case, state: Any, mutant: Mutant) -> bool:
    sequent = case.statement(READING, mutant.text, state)
    return not sequent.claim() and all(sequent.given())


def _fails_in_a_reached_state(obligation: Obligation, mutant: Mutant) -> bool:
    return any(
        _fails(case, state, mutant)
        for case in obligation.cases
        if mutant.rule in case.about
        for state in _witnesses(case)
    )


@cache
def _witnesses(case: Case) -> tuple[Any, ...]:
    """Reached states in which the invariant of a case holds, so that only what a mutant changes is left to look at."""
    fitting = (s for s in states()[case.state] if all(case.statement(READING, REAL_TEXT, s).invariant()))
    return tuple(islice(fitting, WITNESSES))


def _first_refuted(pairs: Iterable[tuple[Obligation, Mutant]]) -> list[tuple[Obligation, Mutant]]:
    """The first pair for which the solver finds a counterexample, smallest scope first; none if there is none."""
    cases = [(o, m, case) for o, m in pairs for case in o.cases if m.rule in case.about]
    for scope, (obligation, mutant, case) in product(SOLVER_SCOPES, cases):
        if refute(case, mutant.text, (scope,)).verdict is Verdict.REFUTED:
            return [(obligation, mutant)]
    return []
