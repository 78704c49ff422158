"""The whole run: every theorem, every claim that must fail, the running model, and the mutants."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from . import conformance
from .counterexample import draw
from .discharge import REAL_TEXT, Finding, Verdict, discharge
from .features import check_features
from .mutation import EQUIVALENT, mutants
from .obligation import MODEL_TEXT, Obligation
from .obligations import OBLIGATIONS
from .reachable import LARGE_READING, READING, fired, large_states, states
from .straight_line import departures
from .teeth import Kills, bite
from .witnesses import WRONG_CONSUMERS, WrongConsumer, smallest_witness

EVERY_SIZE = "every size"


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
        results = [_toothless(result, toothed) for result in results]
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
        began = time.perf_counter()
        finding = _settle(obligation)
        yield Result(
            obligation.name,
            obligation.sentence,
            obligation.laws,
            finding.verdict,
            Verdict.PROVED,
            time.perf_counter() - began,
            reason=finding.reason,
            picture=draw(finding.counterexample) if finding.counterexample else "",
        )


def _settle(obligation: Obligation) -> Finding:
    """The first finding that is not a proof, or a proof of all cases, each with a reached state that it is about."""
    try:
        for case in obligation.cases:
            finding = discharge(case)
            if finding.verdict is not Verdict.PROVED:
                return finding
            for reading, reached in ((READING, states()), (LARGE_READING, large_states())):
                if not any(
                    all(case.statement(reading, REAL_TEXT, state).assumed()) for state in reached[case.state]
                ):
                    return Finding(
                        Verdict.VACUOUS, f"no step reaches its assumptions ({', '.join(case.about)})"
                    )
    except (
        Exception,
        SystemExit,
    ) as error:  # a broken model may raise anything; the run must go on and must not pass
        return Finding(Verdict.ERROR, f"{type(error).__name__}: {error}")
    return Finding(Verdict.PROVED)


def _text_under_proof() -> Iterator[Result]:
    began = time.perf_counter()
    reason = "; ".join(departures())
    yield Result(
        "every_function_under_proof_is_a_straight_line",
        "No function under proof branches, loops, or calls anything that is not under proof itself.",
        (),
        Verdict.ERROR if reason else Verdict.PROVED,
        Verdict.PROVED,
        time.perf_counter() - began,
        f"the text of {len(MODEL_TEXT)} functions",
        reason,
    )


def _running_model(progress: Callable[[str], None]) -> Iterator[Result]:
    progress("the running model")
    began = time.perf_counter()
    verdict, reason, picture = _watch_the_running_model()
    yield Result(
        "the_running_model_obeys_the_laws_in_every_small_step",
        f"For every small step and some large ones: {'; '.join(conformance.LAWS_WATCHED)}.",
        tuple(dict.fromkeys(law for laws, _ in conformance.LAWS_WATCHED.values() for law in laws)),
        verdict,
        Verdict.PROVED,
        time.perf_counter() - began,
        f"{len(conformance.watched_steps())} steps",
        reason,
        picture,
    )


def _watch_the_running_model() -> tuple[Verdict, str, str]:
    """Verdict, reason and picture."""
    try:
        for sentence, small in conformance.violations():
            return Verdict.REFUTED, f"not so: {sentence}", small.draw() if small else ""
        idle = [rule for rule in RULES if not fired().get(rule)]
    except (Exception, SystemExit) as error:  # as above
        return Verdict.ERROR, f"{type(error).__name__}: {error}", ""
    return (Verdict.VACUOUS, f"never fired: {', '.join(idle)}", "") if idle else (Verdict.PROVED, "", "")


RULES = ("keep", "refill", "extend", "retire", "advance", "retreat", "move_down", "exchange")


def _wrong_consumers(progress: Callable[[str], None]) -> Iterator[Result]:
    progress("wrong consumers")
    for consumer in WRONG_CONSUMERS:
        yield _refuted(consumer)


def _refuted(consumer: WrongConsumer) -> Result:
    began = time.perf_counter()
    verdict, reason, picture = Verdict.UNKNOWN, "no small step refutes it", ""
    try:
        witness = smallest_witness(consumer)
        if witness is not None:
            verdict, reason, picture = Verdict.REFUTED, "", witness.draw()
    except (Exception, SystemExit) as error:  # as above
        verdict, reason = Verdict.ERROR, f"{type(error).__name__}: {error}"
    return Result(
        consumer.name,
        consumer.sentence,
        consumer.laws,
        verdict,
        Verdict.REFUTED,
        time.perf_counter() - began,
        reason=reason,
        picture=picture,
    )


def _toothless(result: Result, toothed: set[str]) -> Result:
    if result.scope != EVERY_SIZE or result.expected is Verdict.REFUTED or result.name in toothed:
        return result
    return replace(
        result, verdict=Verdict.VACUOUS, reason="it kills no mutant: it would pass with the rules broken"
    )
