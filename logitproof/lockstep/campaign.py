"""Fuzzes one target: plays batches of histories until the budget is spent or a law breaks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf

import torch

from logitproof.fuzz_options import DIALECTS, EVERY_DTYPE, MAX_EXAMPLES
from logitproof.spec import Dialect
from logitproof.targets import Target, TargetError

from .alone import drawn_params
from .batches import Batch, batches
from .boundary import boundary_arguments
from .come_and_go import many_requests
from .conclusion import Ending, conclude
from .dead_parameters import dead_parameters
from .finding import Finding
from .generate import Source, histories_at_once
from .hazards import DEFAULT_HAZARDS, Hazard, unsupported_by
from .hunt import Hunt
from .idle_again import idle_work_again
from .odd_logits import odd_logits
from .oracles.growth import Growth
from .oracles.idle_work import IdleWork
from .other_dtypes import other_dtypes
from .other_hash_seeds import NotCompared, other_hash_seeds
from .outcome import Budget, Caught, Report, Verdict
from .unread_params import unread_params
from .watchdog import OutOfTime, Unresponsive, Watchdog
from .work_in_use import work_in_use
from .workers import only_seen_by_a_worker, shared_out

DEFAULT_DIALECTS = DIALECTS
DEFAULT_EXAMPLES = MAX_EXAMPLES
"""Histories per dialect: about ten thousand steps, some seconds for a plain processor."""
LEAST_UNCHANGED = 60
"""Histories in which no logit changes, before a run is given up: two thousand steps with every kind of operation."""
MOST_UNREAD = 6
"""Requests, not one of whose arguments may be looked up before it is said that they are dropped."""
AFTERWARDS = 12.0
"""Seconds for what is looked at after a run that was ended because it had done enough."""


def fuzz(
    target: Target,
    seed: int,
    dialects: Sequence[Dialect] = DEFAULT_DIALECTS,
    budget: Budget | None = None,
    dtype: str = "float32",
    report: Report | None = None,
    source: Source | None = None,
    hazards: frozenset[Hazard] = DEFAULT_HAZARDS,
    known: Callable[[Finding], bool] | None = None,
    progress: Callable[[Report], None] | None = None,
) -> Report:
    """Fuzz one target. Pass a `report` to keep what was done when a KeyboardInterrupt goes through.

    What the target changes in modules and classes is put back.

    dtype: of the logits; "all" takes turns between those of `EVERY_DTYPE`.
    source: where histories come from, if not generated freely. It need not have every kind of operation.
    hazards: what histories may hold, less what the target says that it does not support.
    known: whether a fault is known and let pass: a history in which it is the first fault is counted and set aside.
    progress: called between batches, a few times a second.

    Raises TargetError: the params, their strategy or the reference do not fit the target.
    Raises UnknownHazard: the target's `logitproof_unsupported` names none.
    """
    report = report or Report(target)
    report.unsupported = hazards & unsupported_by(target.unsupported, target.name)
    report.hazards = hazards = hazards - report.unsupported
    if target.takes_no_embeddings:
        report.hazards = hazards = hazards - {Hazard.NO_PROMPT}
    budget = budget or Budget()
    torch.set_num_threads(1)  # rows are tiny: a second thread only waits at barriers
    began = time.monotonic()
    deadline = inf if budget.max_time is None else began + budget.max_time
    enough = inf if budget.enough is None else began + budget.enough
    dtypes = EVERY_DTYPE if dtype == "all" else (dtype,)
    clock = _Clock(enough)
    planned = clock.until_enough(batches(seed, dialects, dtypes, budget.max_examples))
    source, is_given = source or partial(histories_at_once, hazards=hazards), source is not None
    # The timer of a last resort does not survive a fork: with workers it is theirs.
    last_resort = budget.last_resort and budget.workers == 1
    with Watchdog(budget.call_limit, min(deadline, enough + AFTERWARDS), last_resort) as watchdog:
        play = _in_this_process if budget.workers == 1 else _in_workers
        in_time = True
        for in_time in play(report, planned, source, budget, watchdog, known):
            if progress is not None:
                progress(report)
            if (
                report.caught
                or not in_time
                or (not is_given and _is_vacuous(report, len(dialects) * budget.max_examples))
            ):
                break
        conclude(report, clock.ending(in_time), is_given)
        if report.verdict is Verdict.CLEAN:
            try:
                _look_further(report, budget, watchdog, dtypes[0])
            except (OutOfTime, Unresponsive) as error:
                left = f"what is looked at afterwards was cut short ({str(error) or 'out of time'})"
                report.note = "; ".join(filter(None, (report.note, left)))
    target.put_back()
    return report


def _is_vacuous(report: Report, planned: int) -> bool:
    """Whether enough was played to say that no logit is ever changed. planned: histories in all."""
    seen = report.transitions
    enough = max(LEAST_UNCHANGED, planned // 3)
    return report.histories >= enough and not seen.changed_a_logit and not seen.missing(report.hazards)


class _Clock:
    """Ends a sequence of batches when a run has done enough, and remembers whether it did."""

    def __init__(self, enough: float) -> None:
        self._enough = enough
        self._has_ended = False

    def until_enough(self, planned: Iterator[Batch]) -> Iterator[Batch]:
        for batch in planned:
            if time.monotonic() > self._enough:
                self._has_ended = True
                return
            yield batch

    def ending(self, in_time: bool) -> Ending:
        if not in_time:
            return Ending.OUT_OF_TIME
        return Ending.ENOUGH if self._has_ended else Ending.ALL_PLAYED


def _in_this_process(
    report: Report,
    planned: Iterator[Batch],
    source: Source,
    budget: Budget,
    watchdog: Watchdog,
    known: Callable[[Finding], bool] | None,
) -> Iterator[bool]:
    """Whether each batch ended in time."""
    for batch in planned:
        yield Hunt(report, budget, watchdog, known).run(batch, source)


def _in_workers(
    report: Report,
    planned: Iterator[Batch],
    source: Source,
    budget: Budget,
    watchdog: Watchdog,
    known: Callable[[Finding], bool] | None,
) -> Iterator[bool]:
    """Whether each batch ended in time. Raises TargetError as `Hunt.run` does."""
    began = time.monotonic()
    played_batches = shared_out(report.target, planned, source, budget, watchdog, known)
    for played in played_batches:
        if played.misfit is not None:
            raise TargetError(played.misfit)
        if played.findings or played.died:
            played_batches.close()
        if played.findings:
            Hunt(report, budget, watchdog, known).run(played.batch, source)
        else:
            played.add_to(report)
        report.seconds = time.monotonic() - began
        if (played.findings and not report.caught) or played.died:
            report.caught += only_seen_by_a_worker(played, report, source, budget, watchdog)
        yield played.in_time


def _in_other_processes(report: Report, dtype: str, beat: Callable[[], None]) -> Caught | None:
    """What differs from one process to another; a note if that could not be seen."""
    try:
        found = other_hash_seeds(report.target, dtype, beat)
    except NotCompared as error:
        said = f"its source depends on hashes, and processes with other hash seeds were not compared: {error}"
        report.note = "; ".join(filter(None, (report.note, said)))
        return None
    return found and Caught((found[1],), found[0], report.steps)


def _look_further(report: Report, budget: Budget, watchdog: Watchdog, dtype: str) -> None:
    """After a clean campaign: waste in use, what adds up over many requests, arguments that nobody should send."""
    watchdog.call_limit = inf  # nobody counts calls here; the deadline holds
    if dead := dead_parameters(report.target, dtype):
        drawn = drawn_params(report.target, report.target.vocab, MOST_UNREAD)
        if unread := unread_params(report.target, drawn, dtype):
            report.caught.append(Caught((unread[1],), unread[0], report.steps))
            report.verdict = Verdict.FAILED
            return
    report.warnings |= dead
    if IdleWork.code in report.warnings:
        report.warnings |= idle_work_again(report.target, dtype)
    report.warnings |= work_in_use(report.target, dtype) | other_dtypes(report.target, dtype)
    report.warnings |= odd_logits(report.target, dtype)
    if hashed := _in_other_processes(report, dtype, watchdog.beat):
        report.caught.append(hashed)
        report.verdict = Verdict.FAILED
        return
    history, faults = many_requests(report.target, dtype, watchdog.beat)
    if faults:
        grows = faults[0].oracle == Growth.code  # and does so in a long history only
        caught = Hunt(report, budget, watchdog).caught
        report.caught.append(Caught(faults, history, report.steps) if grows else caught(history, faults))
        report.verdict = Verdict.FAILED
        return
    with torch.inference_mode():
        tried = boundary_arguments(report.target, Hazard.BOUNDARY in report.hazards, dtype)
    if warning := tried.warning():
        report.warnings[warning.oracle] = warning
    if tried.broken is not None:
        report.caught.append(replace(Hunt(report, budget, watchdog).caught(*tried.broken), is_strange=True))
        report.verdict = Verdict.FAILED
