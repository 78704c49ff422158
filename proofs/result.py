"""How one claim ended, whatever it was about and however it was decided."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from .discharge import Verdict

EVERY_SIZE = "every size"
EVERY_VOCABULARY = "one row, every vocabulary"
UNBOUNDED = (EVERY_SIZE, EVERY_VOCABULARY)
"""The scopes of theorems, each of which must kill a mutant."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one obligation ended. `picture` shows the counterexample; `scope` says how far the statement reaches."""

    name: str
    sentence: str
    laws: tuple[str, ...]
    verdict: Verdict
    expected: Literal[Verdict.PROVED, Verdict.REFUTED]
    seconds: float
    scope: str = EVERY_SIZE
    reason: str = ""
    picture: str = ""

    @property
    def as_expected(self) -> bool:
        """Whether nothing needs attention."""
        return self.verdict is self.expected


Decision: TypeAlias = tuple[Verdict, str, str]
"""Verdict, reason, picture."""


def established(
    name: str,
    sentence: str,
    laws: tuple[str, ...],
    decide: Callable[[], Decision],
    *,
    expected: Literal[Verdict.PROVED, Verdict.REFUTED] = Verdict.PROVED,
    scope: str = EVERY_SIZE,
) -> Result:
    """Decide a claim and time it. A broken model may raise anything; the run must go on, and must not pass."""
    began = time.perf_counter()
    try:
        verdict, reason, picture = decide()
    except (Exception, SystemExit) as error:
        verdict, reason, picture = Verdict.ERROR, f"{type(error).__name__}: {error}", ""
    return Result(
        name, sentence, laws, verdict, expected, time.perf_counter() - began, scope, reason, picture
    )


def refuted_by(picture: str | None) -> Decision:
    """The decision about a wrong claim: a drawn witness refutes it; without one nothing is known."""
    if picture is None:
        return Verdict.UNKNOWN, "nothing small refutes it", ""
    return Verdict.REFUTED, "", picture


def toothless(result: Result, toothed: Collection[str]) -> Result:
    """The same result, or VACUOUS for a theorem that is not among those which have killed a mutant."""
    if result.scope not in UNBOUNDED or result.expected is Verdict.REFUTED or result.name in toothed:
        return result
    reason = "it kills no mutant: it would pass with the text under proof broken"
    return replace(result, verdict=Verdict.VACUOUS, reason=reason)
