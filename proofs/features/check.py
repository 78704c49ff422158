"""The whole run about features: every theorem, every wrong claim, every mutant of a kernel."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..discharge import Verdict
from ..teeth import Kills
from .discharge_rows import RowFinding, bite_rows, settle
from .exact_rows import draw, exact_rows
from .kernel_mutants import EQUIVALENT_KERNELS, kernel_mutants
from .reference_rows import differences
from .refutations import WRONG_CLAIMS
from .scene import SIZES
from .theorem import FEATURE_OBLIGATIONS

if TYPE_CHECKING:
    from ..check import Result

EVERY_VOCABULARY = "one row, every vocabulary"


@dataclass(frozen=True, slots=True)
class FeatureReport:
    """What a run about features established; `kills` is empty when a theorem is open."""

    results: tuple[Result, ...]
    kills: tuple[Kills, ...]
    stale_excuses: tuple[str, ...]


def check_features(progress: Callable[[str], None] = lambda what: None) -> FeatureReport:
    """Run everything about features. `progress` hears what is being looked at."""
    results = [*_theorems(progress), *_reference_rows(progress), *_refutations(progress)]
    kills: tuple[Kills, ...] = ()
    if all(result.as_expected for result in results):
        progress("mutants of kernels")
        kills = tuple(bite_rows())
        toothed = {name for kill in kills for name in kill.killed_by}
        results = [_toothless(result, toothed) for result in results]
    names = {mutant.name for mutant in kernel_mutants()}
    stale = tuple(name for name in EQUIVALENT_KERNELS if name not in names)
    return FeatureReport(tuple(results), kills, stale)


def _theorems(progress: Callable[[str], None]) -> Iterator[Result]:
    from ..check import Result

    for theorem in FEATURE_OBLIGATIONS:
        progress(theorem.name)
        began = time.perf_counter()
        try:
            finding = settle(theorem)
        except Exception as error:  # a broken kernel may raise anything; the run must go on and must not pass
            finding = RowFinding(Verdict.ERROR, f"{type(error).__name__}: {error}")
        yield Result(
            theorem.name,
            theorem.sentence,
            theorem.laws,
            finding.verdict,
            Verdict.PROVED,
            time.perf_counter() - began,
            EVERY_VOCABULARY,
            finding.reason,
            draw(finding.row) if finding.row else "",
        )


def _reference_rows(progress: Callable[[str], None]) -> Iterator[Result]:
    from ..check import Result

    progress("the reference rows")
    began = time.perf_counter()
    verdict, reason, picture = Verdict.PROVED, "", ""
    try:
        for stage, row in differences():
            verdict, reason, picture = Verdict.REFUTED, f"not so for {stage}", draw(row)
            break
    except Exception as error:  # as above
        verdict, reason = Verdict.ERROR, f"{type(error).__name__}: {error}"
    yield Result(
        "the_reference_rows_do_what_the_theorems_speak_of",
        f"For {len(exact_rows())} rows and every feature: the reference row, with its loops, gives what the kernels "
        "give with the counts and sums that the theorems assume.",
        ("D4",),
        verdict,
        Verdict.PROVED,
        time.perf_counter() - began,
        f"{len(exact_rows())} rows",
        reason,
        picture,
    )


def _refutations(progress: Callable[[str], None]) -> Iterator[Result]:
    from ..check import Result

    for claim in WRONG_CLAIMS:
        progress(claim.name)
        began = time.perf_counter()
        verdict, reason, picture = Verdict.UNKNOWN, "no small scene refutes it", ""
        try:
            witness = claim.witness()
            if witness is not None:
                verdict, reason, picture = Verdict.REFUTED, "", witness
        except Exception as error:  # as above
            verdict, reason = Verdict.ERROR, f"{type(error).__name__}: {error}"
        yield Result(
            claim.name,
            claim.sentence,
            claim.laws,
            verdict,
            Verdict.REFUTED,
            time.perf_counter() - began,
            f"one row, up to {SIZES[-1]} tokens",
            reason,
            picture,
        )


def _toothless(result: Result, toothed: set[str]) -> Result:
    if result.scope != EVERY_VOCABULARY or result.name in toothed:
        return result
    return replace(
        result, verdict=Verdict.VACUOUS, reason="it kills no mutant: it would pass with the kernels broken"
    )
