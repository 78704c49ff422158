"""Deciding a case about rows, and trying mutants on it: proofs by z3 reals, everything else by exact small rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import z3

from ..discharge import SOLVER_BUDGET, Verdict
from ..mutation import Mutant
from ..obligation import Case, Obligation, Text
from ..teeth import Kills
from .exact_rows import exact_rows
from .kernel_mutants import EQUIVALENT_KERNELS, kernel_mutants, text_with
from .reading import EXACT, SymbolicRows
from .row import Row, fresh
from .theorem import FEATURE_OBLIGATIONS, KERNELS, stated

REAL_KERNELS = Text(KERNELS)
FIRST_ROWS = 24
"""Exact rows on which every mutant is tried against every theorem."""


@dataclass(frozen=True, slots=True)
class RowFinding:
    """A verdict with its reason and, when refuted, the row that shows it."""

    verdict: Verdict
    reason: str = ""
    case: Case | None = None
    row: Row | None = None


def prove(case: Case, text: Text = REAL_KERNELS) -> z3.CheckSatResult:
    """unsat: the case holds for every row of every vocabulary."""
    L = SymbolicRows()
    sequent = stated(case, L, text, fresh(L))
    solver = z3.SimpleSolver(ctx=L.context)
    solver.set("rlimit", SOLVER_BUDGET)
    solver.set("smt.mbqi", False)
    solver.add([L.truth(condition) for condition in sequent.assumed()])
    solver.add(L.negate(sequent.claim()))
    return solver.check()


def holds_in(case: Case, row: Row, text: Text = REAL_KERNELS) -> bool:
    """Whether the claim, executed on an exact row, holds."""
    return bool(stated(case, EXACT, text, row).claim())


@cache
def witnesses(case: Case) -> tuple[Row, ...]:
    """The exact rows in which everything that the case assumes is true."""
    return tuple(row for row in exact_rows() if all(stated(case, EXACT, REAL_KERNELS, row).assumed()))


def settle(obligation: Obligation) -> RowFinding:
    """Proved for every row, and executed on some; or the first case that is not."""
    for case in obligation.cases:
        broken = next((row for row in witnesses(case) if not holds_in(case, row)), None)
        proved = prove(case) == z3.unsat
        about = ", ".join(case.about)
        if proved and broken is not None:
            return RowFinding(
                Verdict.ERROR, f"proved, yet an exact row denies it (case of {about})", case, broken
            )
        if broken is not None:
            return RowFinding(Verdict.REFUTED, f"case of {about}", case, broken)
        if not proved:
            return RowFinding(Verdict.UNKNOWN, f"neither proved nor refuted (case of {about})")
        if not witnesses(case):
            return RowFinding(Verdict.VACUOUS, f"no row meets its assumptions (case of {about})")
    return RowFinding(Verdict.PROVED)


def refuted_in(case: Case, row: Row, mutant: Mutant) -> bool:
    """Whether the mutant breaks the claim in a row that meets all that the case assumes of the row itself."""
    sequent = stated(case, EXACT, text_with(mutant), row)
    try:
        return not sequent.claim() and all(sequent.given())
    except ZeroDivisionError:  # only a mutant divides by what may be zero, and then the logit is no number
        return True


def _fails(obligation: Obligation, mutant: Mutant, rows: int | None) -> bool:
    return any(
        refuted_in(case, row, mutant)
        for case in obligation.cases
        if mutant.rule in case.about
        for row in witnesses(case)[:rows]
    )


def bite_rows() -> list[Kills]:
    """Confront every mutant of a kernel with every theorem that speaks of that kernel.

    A few rows come first, since most mutants already fail there; all of them where a mutant would survive or a theorem
    would have killed none.
    """
    killed = {
        mutant.name: [t.name for t in FEATURE_OBLIGATIONS if _fails(t, mutant, FIRST_ROWS)]
        for mutant in kernel_mutants()
    }
    toothed = {name for names in killed.values() for name in names}
    for mutant in kernel_mutants():
        for open_theorem in FEATURE_OBLIGATIONS:
            needed = not killed[mutant.name] or open_theorem.name not in toothed
            if needed and _fails(open_theorem, mutant, None):
                killed[mutant.name].append(open_theorem.name)
                toothed.add(open_theorem.name)
    return [
        Kills(mutant, tuple(killed[mutant.name]), EQUIVALENT_KERNELS.get(mutant.name))
        for mutant in kernel_mutants()
    ]
