"""Deciding one case: proved for every size, or refuted by a state that the concrete model confirms."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import z3

from logitproof.model.concrete import Concrete

from .obligation import Case, Text
from .symbolic import FiniteScope, Unbounded

SOLVER_BUDGET = 4_000_000
"""z3's own resource units per case. The dearest proof needs a tenth of it, so `UNKNOWN` means lost, not late."""
SCOPES = (1, 2, 3, 4)
"""Sizes in which a counterexample is looked for, smallest first."""


class Verdict(Enum):
    """How an obligation ends."""

    PROVED = "PROVED"
    REFUTED = "REFUTED"
    UNKNOWN = "UNKNOWN"
    VACUOUS = "VACUOUS"
    ERROR = "ERROR"


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A concrete state in which the assumptions hold and the claim does not."""

    case: Case
    state: Any
    scope: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict with its reason and, when refuted, the state that shows it."""

    verdict: Verdict
    reason: str = ""
    counterexample: Counterexample | None = None


REAL_TEXT = Text()


def prove(case: Case, text: Text = REAL_TEXT) -> z3.CheckSatResult:
    """unsat: the case holds for every size. Anything else is no answer, since quantified models are out of reach."""
    L = Unbounded()
    sequent = case.statement(L, text, L.fresh(case.state))
    solver = z3.SolverFor("AUFLIA", ctx=L.context)
    solver.set("rlimit", SOLVER_BUDGET)
    solver.set("smt.mbqi", False)
    solver.add([L.truth(condition) for condition in sequent.assumed()])
    solver.add(L.negate(sequent.claim()))
    return solver.check()


def refute(case: Case, text: Text = REAL_TEXT, scopes: tuple[int, ...] = SCOPES) -> Finding:
    """Look for a counterexample in small scopes and run it on the concrete model before it is believed."""
    for scope in scopes:
        L = FiniteScope(scope)
        state = L.fresh(case.state)
        sequent = case.statement(L, text, state)
        solver = z3.Solver(ctx=L.context)
        solver.set("rlimit", SOLVER_BUDGET)
        solver.add(L.within(state))
        solver.add([L.truth(condition) for condition in sequent.assumed()])
        solver.add(L.negate(sequent.claim()))
        answer = solver.check()
        if answer == z3.sat:
            found = L.concrete(state, solver.model())
            if reproduces(case, found, L.executed(), text):
                return Finding(Verdict.REFUTED, counterexample=Counterexample(case, found, scope))
            return Finding(
                Verdict.ERROR, f"a counterexample of scope {scope} does not reproduce on the model: {found}"
            )
        if answer == z3.unknown:
            return Finding(Verdict.UNKNOWN, f"scope {scope}: {solver.reason_unknown()}")
    return Finding(Verdict.UNKNOWN, f"neither proved nor refuted up to scope {scopes[-1]}")


def reproduces(case: Case, state: Any, L: Concrete, text: Text = REAL_TEXT) -> bool:
    """Whether, executed with plain ints, the assumptions hold in this state and the claim does not."""
    sequent = case.statement(L, text, state)
    return not sequent.claim() and all(sequent.assumed())


def discharge(case: Case, text: Text = REAL_TEXT) -> Finding:
    """Prove the case, or else refute it."""
    if prove(case, text) == z3.unsat:
        return Finding(Verdict.PROVED)
    return refute(case, text)
