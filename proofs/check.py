"""The whole run: every theorem, every claim that must fail, the running model, and the mutants."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from . import conformance
from .counterexample import draw
from .discharge import REAL_TEXT, Finding, Verdict, discharge
from .features import check_features
from .mutation import EQUIVALENT, mutants
from .obligation import MODEL_TEXT, Obligation
from .obligations import OBLIGATIONS
from .obligations.framing import RULES
from .reachable import LARGE_READING, READING, fired, large_states, states
from .result import Decision, Result, established, refuted_by, toothless
from .straight_line import departures
from .teeth import Kills, bite
from .witnesses import WRONG_CONSUMERS, WrongConsumer, smallest_witness


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a run established. `kills` is empty when something failed before the mutants were tried."""

    results: tuple[Result, ...]
    kills: tuple[Kills, ...]
    stale_excuses: tuple[str, ...]
    seconds: float

    @property
    def sound(self) -> bool:
        """Every verdict as expected, every mutant killed or excused, every excuse needed."""
        return (
            all(result.as_expected for result in self.results)
            and bool(self.kills)
            and not any(kills.survives or kills.wrongly_excused for kills in self.kills)
            and not self.stale_excuses
        )


def check(progress: Callable[[str], None] = lambda what: None) -> Report:
    """Run everything. `progress` hears what is being looked at."""
    began = time.perf_counter()
    results = [
        *_text_under_proof(),
        *_theorems(progress),
        *_running_model(progress),
        *_wrong_consumers(progress),
    ]
    kills: tuple[Kills, ...] = ()
    stale: tuple[str, ...] = ()
    if all(result.as_expected for result in results):
        kills = tuple(bite(OBLIGATIONS, lambda: progress("mutants")))
        toothed = {name for kill in kills for name in kill.killed_by}
        results = [toothless(result, toothed) for result in results]
        made = {mutant.name for mutant in mutants()}
        stale = tuple(name for name in EQUIVALENT if name not in made)
    features = check_features(progress)
    return Report(
        (*results, *features.results),
        (*kills, *features.kills),
        (*stale, *features.stale_excuses),
        time.perf_counter() - began,
    )


def _theorems(progress: Callable[[str], None]) -> Iterator[Result]:
    for obligation in OBLIGATIONS:
        progress(obligation.name)
        yield _theorem(obligation)


def _theorem(obligation: Obligation) -> Result:
    def decide() -> Decision:
        finding = _settle(obligation)
        return finding.verdict, finding.reason, draw(finding.counterexample) if finding.counterexample else ""

    return established(obligation.name, obligation.sentence, obligation.laws, decide)


def _settle(obligation: Obligation) -> Finding:
    """The first finding that is not a proof, or a proof of all cases, each with a reached state that it is about."""
    for case in obligation.cases:
        finding = discharge(case)
        if finding.verdict is not Verdict.PROVED:
            return finding
        for reading, reached in ((READING, states()), (LARGE_READING, large_states())):
            if not any(
                all(case.statement(reading, REAL_TEXT, state).assumed()) for state in reached[case.state]
            ):
                return Finding(Verdict.VACUOUS, f"no step reaches its assumptions ({', '.join(case.about)})")
    return Finding(Verdict.PROVED)


def _text_under_proof() -> Iterator[Result]:
    def decide() -> Decision:
        reason = "; ".join(departures())
        return Verdict.ERROR if reason else Verdict.PROVED, reason, ""

    yield established(
        "every_function_under_proof_is_a_straight_line",
        "No function under proof branches, loops, or calls anything that is not under proof itself.",
        (),
        decide,
        scope=f"the text of {len(MODEL_TEXT)} functions",
    )


def _running_model(progress: Callable[[str], None]) -> Iterator[Result]:
    progress("the running model")
    yield established(
        "the_running_model_obeys_the_laws_in_every_small_step",
        f"For every small step and some large ones: {'; '.join(conformance.LAWS_WATCHED)}.",
        tuple(dict.fromkeys(law for laws, _ in conformance.LAWS_WATCHED.values() for law in laws)),
        _watch_the_running_model,
        scope=f"{len(conformance.watched_steps())} steps",
    )


def _watch_the_running_model() -> Decision:
    for sentence, small in conformance.violations():
        return Verdict.REFUTED, f"not so: {sentence}", small.draw() if small else ""
    idle = [rule for rule in RULES if not fired().get(rule)]
    return (Verdict.VACUOUS, f"never fired: {', '.join(idle)}", "") if idle else (Verdict.PROVED, "", "")


def _wrong_consumers(progress: Callable[[str], None]) -> Iterator[Result]:
    progress("wrong consumers")
    for consumer in WRONG_CONSUMERS:
        yield _refuted(consumer)


def _refuted(consumer: WrongConsumer) -> Result:
    def decide() -> Decision:
        witness = smallest_witness(consumer)
        return refuted_by(witness.draw() if witness else None)

    return established(consumer.name, consumer.sentence, consumer.laws, decide, expected=Verdict.REFUTED)
