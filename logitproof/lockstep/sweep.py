"""Plays every history of a small scope."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf

import torch

from logitproof.spec import Dialect
from logitproof.targets import Target, TargetError

from .alone import drawn_params
from .conclusion import Ending, conclude
from .course import Course
from .exhaustive import every_history, how_many
from .expected import Announced
from .finding import Finding
from .history import History
from .hunt import Hunt
from .outcome import Budget, Report
from .plain import PLAIN, is_plain
from .scope import Scope
from .watchdog import OutOfTime, Watchdog

MOST_DRAWN = 40
PROMPTS = ((1, 2),)
OFTEN = 50
"""Histories between two reports of progress."""


def sweep(
    target: Target,
    scope: Scope,
    dialects: Sequence[Dialect],
    budget: Budget,
    dtype: str = "float32",
    report: Report | None = None,
    known: Callable[[Finding], bool] | None = None,
    progress: Callable[[Report], None] | None = None,
) -> Report:
    """Play each history in every dialect in which it reads differently, up to the first that fails.

    Raises TargetError: the target's params have fewer kinds than the scope asks for.
    """
    report = report or Report(target)
    torch.set_num_threads(1)
    deadline = inf if budget.max_time is None else time.monotonic() + budget.max_time
    whole, gone_through, played, in_time = how_many(scope), 0, 0, True
    began = time.monotonic()
    with Watchdog(budget.call_limit, deadline, budget.last_resort) as watchdog:
        try:
            for history in every_history(scope, _world(target, scope, dialects[0], dtype)):
                hunt = Hunt(report, budget, watchdog, known)
                if watchdog.is_late():
                    in_time = False
                    break
                for told in _readings(history, dialects):
                    played += 1
                    if not report.caught and (faults := hunt.play(told)):
                        report.seconds = time.monotonic() - began
                        report.caught.append(hunt.caught(told, faults))
                report.histories = gone_through + 1  # another dialect's reading is no other history
                if report.caught:
                    break
                gone_through += 1
                if progress is not None and gone_through % OFTEN == 0:
                    progress(report)
        except OutOfTime:
            in_time = False
        report.seconds = report.seconds or time.monotonic() - began
        conclude(report, Ending.ALL_PLAYED if in_time else Ending.OUT_OF_TIME, is_given=True)
    scope_text = f"{scope.slots} slots, {scope.steps} steps, {scope.kinds} kinds of requests"
    how_far = "all" if gone_through == whole else f"{gone_through:,} of"
    said = f"{how_far} {whole:,} histories up to renaming of requests ({scope_text})"
    if played > gone_through and not report.caught:
        said += f", {played - gone_through:,} of them again as another dialect tells them"
    report.note = "; ".join(filter(None, (said, report.note)))
    return report


def _world(target: Target, scope: Scope, dialect: Dialect, dtype: str) -> History:
    kinds = [params for params in drawn_params(target, target.vocab, MOST_DRAWN) if not is_plain(params)]
    distinct = [params for place, params in enumerate(kinds) if params not in kinds[:place]]
    if len(distinct) < scope.kinds - 1:
        raise TargetError(
            f"{target.name}: --exhaustive kinds={scope.kinds} needs {scope.kinds - 1} kinds of requests that ask for "
            f"something, but only {len(distinct)} were drawn from {target.params_from}; see --params"
        )
    pool = (PLAIN, *distinct[: scope.kinds - 1])
    return History((), pool, PROMPTS, dialect, slots=scope.slots, vocab=target.vocab, dtype=dtype)


def _readings(history: History, dialects: Sequence[Dialect]) -> Iterator[History]:
    """The history in each dialect that announces something else than those before it."""
    told: list[list[Announced | None]] = []
    for dialect in dialects:
        reading = replace(history, dialect=dialect)
        course = Course(reading, [True] * len(history.params), False)
        announced = [course.plan(step).expected.announced for step in history.steps]
        if announced not in told:
            told.append(announced)
            yield reading
