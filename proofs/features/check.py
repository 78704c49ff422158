"""The whole run about features: every theorem, every wrong claim, every mutant of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from ..discharge import Verdict
from ..obligation import Obligation
from ..result import EVERY_VOCABULARY, Decision, Result, established, refuted_by, toothless
from ..teeth import Kills
from .discharge_rows import bite_rows, settle
from .exact_rows import draw, exact_rows
from .kernel_mutants import EQUIVALENT_KERNELS, kernel_mutants
from .reference_rows import differences
from .refutations import WRONG_CLAIMS, WrongClaim
from .scene import SIZES
from .theorem import FEATURE_OBLIGATIONS


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
        results = [toothless(result, toothed) for result in results]
    names = {mutant.name for mutant in kernel_mutants()}
    stale = tuple(name for name in EQUIVALENT_KERNELS if name not in names)
    return FeatureReport(tuple(results), kills, stale)


def _theorems(progress: Callable[[str], None]) -> Iterator[Result]:
    for theorem in FEATURE_OBLIGATIONS:
        progress(theorem.name)
        yield established(
            theorem.name, theorem.sentence, theorem.laws, partial(_decided, theorem), scope=EVERY_VOCABULARY
        )


def _decided(theorem: Obligation) -> Decision:
    finding = settle(theorem)
    return finding.verdict, finding.reason, draw(finding.row) if finding.row else ""


def _reference_rows(progress: Callable[[str], None]) -> Iterator[Result]:
    def decide() -> Decision:
        for stage, row in differences():
            return Verdict.REFUTED, f"not so for {stage}", draw(row)
        return Verdict.PROVED, "", ""

    progress("the reference rows")
    yield established(
        "the_reference_rows_do_what_the_theorems_speak_of",
        f"For {len(exact_rows())} rows and every feature: the reference row, with its loops, gives what the kernels "
        "give with the counts and sums that the theorems assume.",
        ("D4",),
        decide,
        scope=f"{len(exact_rows())} rows",
    )


def _refutations(progress: Callable[[str], None]) -> Iterator[Result]:
    for claim in WRONG_CLAIMS:
        progress(claim.name)
        yield established(
            claim.name,
            claim.sentence,
            claim.laws,
            partial(_witnessed, claim),
            expected=Verdict.REFUTED,
            scope=f"one row, up to {SIZES[-1]} tokens",
        )


def _witnessed(claim: WrongClaim) -> Decision:
    return refuted_by(claim.witness())
