"""Fuzzes one target: draws histories until the budget is spent or a law breaks, then makes the failure small."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import inf
from typing import TypeAlias

import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis.errors import Flaky
from hypothesis.strategies import SearchStrategy

from logitproof.spec import Dialect
from logitproof.targets import VOCAB_SIZE, Target, TargetError

from .admission import admitted
from .dead_parameters import dead_parameters
from .driver import run
from .finding import Divergence, Finding
from .generate import histories
from .history import History
from .shrink import shrink
from .transitions import Transitions

DEFAULT_DIALECTS = (Dialect.DOCUMENTED, Dialect.ELIDED)
"""What engines really say; `redundant` is asked for."""
DEFAULT_EXAMPLES = 150
"""Histories per dialect: about five thousand steps, a few seconds for a plain processor."""
LARGEST_BATCH = 8
"""Histories per run of hypothesis. From ten on it plays small ones for a tenth of the time, and then every history five
times over with little changed, which finds faults in a batch several times more slowly.
"""
EVERY_DTYPE = ("float32", "bfloat16", "float16")
"""What "all" takes turns between, batch by batch."""
SHRINKING_STEPS = 1000
"""Steps that hypothesis may play while it shrinks bytes; a number of steps, so that the same seed ends alike.

It lowers what it has drawn inside params, which the structure does not show. Beyond this it mostly rediscovers, at
forty times the cost, what the structural pass does anyway.
"""


Source: TypeAlias = Callable[[Target, Dialect, int, str], SearchStrategy[History]]
"""Where histories come from: `(target, dialect, vocab, dtype) -> strategy`, as `generate.histories`."""


class Verdict(Enum):
    """How a campaign against one target ended."""

    CLEAN = "clean"
    FAILED = "failed"
    LATENT = "latent"
    """Failed, but only in the dialect that no known engine speaks."""
    VACUOUS = "vacuous"
    OUT_OF_TIME = "out of time"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop. max_examples: histories per dialect; max_time: seconds per target, or None."""

    max_examples: int = DEFAULT_EXAMPLES
    max_time: float | None = None
    shrink: bool = True


@dataclass(frozen=True, slots=True)
class Caught:
    """A failure: the smallest history found, and what the oracles said about it (the first says most)."""

    findings: tuple[Finding, ...]
    history: History
    found_after: int
    """Steps played before it was met."""
    fails_again: bool = True
    """False if the same history was clean when it was played once more: `history` is the one found, unshrunk."""


@dataclass(slots=True)
class Report:
    """What was done to one target, and what came of it."""

    target: Target
    verdict: Verdict = Verdict.INTERRUPTED
    histories: int = 0
    steps: int = 0
    seconds: float = 0.0
    transitions: Transitions = field(default_factory=Transitions)
    caught: list[Caught] = field(default_factory=list)
    warnings: dict[str, Finding] = field(default_factory=dict)
    note: str = ""
    """Why the verdict is not clean, and what to try next."""

    @property
    def steps_per_second(self) -> float:
        """Of generation and oracles together, before shrinking."""
        return self.steps / self.seconds if self.seconds else 0.0


class _Enough(BaseException):
    """Stops hypothesis from within; it lets only such exceptions through."""


class _Misfit(BaseException):
    """Carries a TargetError past hypothesis, which would take it for a failure of the target and shrink it."""

    def __init__(self, error: TargetError) -> None:
        self.error = error


def fuzz(
    target: Target,
    seed: int,
    dialects: Sequence[Dialect] = DEFAULT_DIALECTS,
    budget: Budget | None = None,
    dtype: str = "float32",
    report: Report | None = None,
    source: Source | None = None,
) -> Report:
    """Fuzz one target. Pass a `report` to keep what was done when a KeyboardInterrupt goes through.

    dtype: of the logits; "all" takes turns between those of `EVERY_DTYPE`.
    source: where histories come from, if not generated freely. It need not have every kind of operation.
    """
    report = report or Report(target)
    budget = budget or Budget()
    torch.set_num_threads(1)  # rows are tiny: a second thread only waits at barriers
    deadline = inf if budget.max_time is None else time.monotonic() + budget.max_time
    dtypes = EVERY_DTYPE if dtype == "all" else (dtype,)
    in_time = True
    for batch in _batches(seed, dialects, dtypes, budget.max_examples):
        hunt = _Hunt(report, budget, deadline)
        in_time = hunt.run(batch, source or histories)
        if report.caught or not in_time:
            break
    _conclude(report, in_time, source is not None)
    if report.verdict is Verdict.CLEAN:
        report.warnings |= dead_parameters(target, dtypes[0])
    return report


@dataclass(frozen=True, slots=True)
class _Batch:
    """Histories that hypothesis draws in one run."""

    seed: str
    dialect: Dialect
    dtype: str
    size: int
    is_first: bool


def _batches(
    seed: int, dialects: Sequence[Dialect], dtypes: Sequence[str], max_examples: int
) -> Iterator[_Batch]:
    """Batches of every dialect in turn: a fault that one hides must not wait until that one's budget is spent.

    `redundant` comes after the others. A fault that they show too is one of today, and must not be called latent.
    """
    real = [dialect for dialect in dialects if dialect is not Dialect.REDUNDANT]
    last = [dialect for dialect in dialects if dialect is Dialect.REDUNDANT]
    for together in (real, last):
        played = number = 0
        while played < max_examples:
            # The first is the simplest history alone. Small ones next: most faults need only a few.
            size = min(1 if number < 2 else 1 << number - 1, LARGEST_BATCH, max_examples - played)
            for dialect in together:
                # Every batch has a seed of its own, so that the dialects do not play the same histories.
                own = f"{seed} {dialect.value} {number}"
                yield _Batch(own, dialect, dtypes[number % len(dtypes)], size, number == 0)
            played += size
            number += 1


class _Hunt:
    """Draws histories until one fails, lets hypothesis shrink it for a while, then looks at its structure."""

    def __init__(self, report: Report, budget: Budget, deadline: float) -> None:
        self._report = report
        self._target = report.target
        self._budget = budget
        self._deadline = deadline
        self._found: tuple[History, tuple[Finding, ...]] | None = None
        self._found_after = 0
        self._smaller: list[History] = []
        """What hypothesis has shrunk the found history to, so far."""
        self._steps_left = SHRINKING_STEPS
        self._began = time.perf_counter()
        self._is_stopped = False

    def run(self, batch: _Batch, source: Source) -> bool:
        """Returns whether it ended in time."""
        # Hypothesis always begins with the simplest history: once is enough.
        is_known = not batch.is_first

        @with_seed(batch.seed)
        @settings(
            max_examples=batch.size + is_known,
            database=None,  # the same seed gives the same run; failures are kept as histories of our own
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
            report_multiple_bugs=False,
            print_blob=False,
        )
        @given(source(self._target, batch.dialect, VOCAB_SIZE, batch.dtype))
        def survives(history: History) -> None:
            nonlocal is_known
            if is_known:
                is_known = False
                return
            faults = self._play(history) if self._found is None else self._shrink(history)
            if faults:  # raised from one line, since hypothesis takes another line for another failure
                raise Divergence(faults)

        in_time = True
        try:
            survives()
        except (Divergence, Flaky):
            pass  # hypothesis has ended by itself; what it found is in `self`
        except _Enough:
            in_time = self._found is not None
        except _Misfit as misfit:
            raise misfit.error from misfit.error.__cause__
        finally:
            self._stop_the_clock()
        if self._found is not None:
            self._report.caught.append(self._caught(*self._found))
        return in_time

    def _stop_the_clock(self) -> None:
        if not self._is_stopped:
            self._report.seconds += time.perf_counter() - self._began
            self._is_stopped = True

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline

    def _play(self, history: History) -> tuple[Finding, ...]:
        """One more history."""
        report = self._report
        if self._is_late():
            raise _Enough
        try:
            result = run(history, self._target, report.transitions)
        except TargetError as error:
            raise _Misfit(error) from error
        report.histories += 1
        report.steps += result.steps
        for warning in result.warnings:
            report.warnings.setdefault(warning.oracle, warning)
        if result.faults:
            self._stop_the_clock()
            self._found = history, result.faults
            self._found_after = report.steps
            if not self._budget.shrink:
                raise _Enough
        return result.faults

    def _shrink(self, history: History) -> tuple[Finding, ...]:
        """A history that hypothesis tries after one has failed, the same one first."""
        if self._steps_left <= 0 or self._is_late():
            raise _Enough
        self._steps_left -= max(1, len(history.steps))
        if faults := self._same_faults(history):
            self._smaller.append(history)
        return faults

    def _same_faults(self, history: History) -> tuple[Finding, ...]:
        """What the oracles say, if the first fault is of the same kind as the one found.

        A history that the params or the reference do not fit has left what the target's requests may be: it shows
        nothing, whatever is raised.
        """
        assert self._found is not None
        found, findings = self._found
        try:
            # What was in the pool stays: a plain request is always there, even if the target refuses it.
            if not all(
                params in found.params or admitted(params, self._target, history.vocab)
                for params in history.params
            ):
                return ()
            faults = run(history, self._target).faults
        except Exception:  # the user's own code: the reference, validate_params, an object in the params
            return ()
        return faults if faults and faults[0].kind == findings[0].kind else ()

    def _caught(self, found: History, findings: tuple[Finding, ...]) -> Caught:
        """The smallest history that fails again, or the one found if none does."""
        for start in (min((found, *self._smaller), key=_size), found):
            if not (faults := self._same_faults(start)):
                continue  # nor would any smaller one fail, but the structural pass would try them all
            if self._budget.shrink:
                small = shrink(
                    start, lambda history: not self._is_late() and bool(self._same_faults(history))
                )
                if still := self._same_faults(small):
                    return Caught(still, small, self._found_after)
            return Caught(faults, start, self._found_after)
        return Caught(findings, found, self._found_after, fails_again=False)


def _size(history: History) -> tuple[int, int]:
    return len(history.steps), sum(1 for _ in history.arrivals())


def _conclude(report: Report, in_time: bool, is_given: bool) -> None:
    """is_given: the histories were asked for, so that what is missing in them is said but does not fail the run."""
    missing = report.transitions.missing()
    if is_given and missing and in_time:
        report.note = f"not in these histories, so not tested: {', '.join(missing)}"
        missing = []
    if report.caught:
        only_latent = all(caught.history.dialect is Dialect.REDUNDANT for caught in report.caught)
        report.verdict = Verdict.LATENT if only_latent else Verdict.FAILED
    elif not in_time:
        report.verdict = Verdict.OUT_OF_TIME
        report.note = f"time ran out after {report.histories} histories" + (
            f", before these happened: {', '.join(missing)}" if missing else ""
        )
        report.note += "; give it more with --max-time, or ask for less with --max-examples"
    elif missing:
        report.verdict = Verdict.VACUOUS
        report.note = f"these never happened: {', '.join(missing)}; raise --max-examples"
    elif not report.transitions.changed_a_logit:
        report.verdict = Verdict.VACUOUS
        report.note = (
            f"the processor never changed a logit, so nothing was tested. Its requests came from: "
            f"{report.target.params_from}. Say what they look like: --params module:strategy, or a "
            f"logitproof_params attribute on the class"
        )
    else:
        report.verdict = Verdict.CLEAN
