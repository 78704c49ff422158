"""Plays one batch of histories until one fails, then makes the failure small."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis.errors import Flaky, HypothesisException

from logitproof.targets import Target, TargetError
from logitproof.targets.errors import one_line

from .admission import admitted
from .alone import drawn_params
from .bank import LARGE
from .batches import Batch
from .counterfactual import BY_ROW
from .driver import run
from .finding import Divergence, Finding
from .generate import Source
from .history import History
from .misguessed import as_warning, misguessed
from .oracles.copies import Copies
from .oracles.hang import Hang
from .oracles.rebuild import Rebuild
from .outcome import Budget, Caught, Report
from .shrink import MOST_RUNS, shrink
from .watchdog import OutOfTime, Unresponsive, Watchdog

FEW_SHRINKING_STEPS, FEW_RUNS = 100, 600
"""Of what follows, and of the structural pass, where rows are as long as those of a real model."""
SHRINKING_STEPS = 1000
"""Steps that hypothesis may play while it shrinks what it drew; a number of steps, so that the same seed ends alike.

It lowers what it has drawn inside params, which the structure does not show. Beyond this it mostly rediscovers, at
forty times the cost, what the structural pass does anyway.
"""
FEW_STEPS = 3
MOST_DRAWN = 24
"""Params that are tried where a fault shows after more steps: a count or a budget may be lower in others."""
HANGING_CALL = 0.4
"""Seconds for a call while a history that hangs is made small: every candidate that still hangs costs as much."""
HANGING_SHRINK = 12.0


class _Enough(BaseException):
    """Stops hypothesis from within; it lets only such exceptions through."""


class _Misfit(BaseException):
    """Carries a TargetError past hypothesis, which would take it for a failure of the target and shrink it."""

    def __init__(self, error: TargetError) -> None:
        self.error = error


class Hunt:
    """Draws histories until one fails, lets hypothesis shrink it for a while, then looks at its structure."""

    def __init__(
        self,
        report: Report,
        budget: Budget,
        watchdog: Watchdog,
        known: Callable[[Finding], bool] | None = None,
        begin: Callable[[int], None] | None = None,
    ) -> None:
        """known: see `fuzz`. begin: told before each history which one it is, from 0."""
        self._begin = begin
        self._report = report
        self._known = known
        self._target = report.target
        self._budget = budget
        self._watchdog = watchdog
        self.found: tuple[History, tuple[Finding, ...]] | None = None
        """What failed, as it was drawn."""
        self._found_after = 0
        self._smaller: list[History] = []
        """What hypothesis has shrunk the found history to, so far."""
        self._steps_left = SHRINKING_STEPS if self._target.vocab <= LARGE else FEW_SHRINKING_STEPS
        self._give_up_at = float("inf")
        self._began = time.perf_counter()
        self._is_stopped = False

    def run(self, batch: Batch, source: Source) -> bool:
        """Returns whether it ended in time. Raises TargetError: params or reference do not fit the target."""
        is_known = not batch.is_first

        @with_seed(batch.seed)
        @_settings(batch)
        @given(source(self._target, batch.dialect, self._target.vocab, batch.dtype))
        def survives(history: History) -> None:
            nonlocal is_known
            if is_known:
                is_known = False
                return
            faults = self._play(history) if self.found is None else self._shrink(history)
            if faults:  # raised from one line, since hypothesis takes another line for another failure
                raise Divergence(faults)

        in_time = True
        self._watchdog.beat()
        try:
            survives()
        except (Divergence, Flaky):
            pass  # hypothesis has ended by itself; what it found is in `self`
        except (_Enough, OutOfTime):
            in_time = self.found is not None
        except _Misfit as misfit:
            raise misfit.error from misfit.error.__cause__
        except Unresponsive as error:  # not in a call of the processor: the driver knows those
            raise TargetError(f"{self._target.params_from}: drawing requests {error}") from error
        except HypothesisException as error:
            raise TargetError(
                f"{self._target.params_from}: the strategy does not work: {one_line(error)}"
            ) from error
        finally:
            self._stop_the_clock()
        if self.found is not None:
            self._report.caught.append(self.caught(*self.found))
        return in_time

    def _stop_the_clock(self) -> None:
        if not self._is_stopped:
            self._report.seconds += time.perf_counter() - self._began
            self._is_stopped = True

    def _is_late(self) -> bool:
        return self._watchdog.is_late() or time.monotonic() > self._give_up_at

    def play(self, history: History) -> tuple[Finding, ...]:
        """One more history, and what is wrong with it, if that is not known. Raises TargetError."""
        report = self._report
        if self._begin is not None:
            self._begin(report.histories)
        result = run(history, self._target, report.transitions, beat=self._watchdog.beat)
        report.histories += 1
        report.steps += result.steps
        for warning in result.warnings:
            report.warnings.setdefault(warning.oracle, warning)
        if result.faults and self._known is not None and self._known(result.faults[0]):
            report.known[result.faults[0].oracle, result.faults[0].law] += 1
            return ()
        if result.faults and misguessed(history, self._target, result.faults[0]):
            report.warnings.setdefault(result.faults[0].oracle, as_warning(result.faults[0]))
            return ()
        if result.faults:
            self._found_after = report.steps
        return result.faults

    def _play(self, history: History) -> tuple[Finding, ...]:
        if self._is_late():
            raise _Enough
        try:
            faults = self.play(history)
        except TargetError as error:
            raise _Misfit(error) from error
        if faults:
            self._stop_the_clock()
            self.found = history, faults
            if not self._budget.shrink or faults[0].oracle == Hang.code:
                raise _Enough
        return faults

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
        assert self.found is not None
        found, findings = self.found
        try:
            # What was in the pool stays: a plain request is always there, even if the target refuses it.
            if not all(
                params in found.params or admitted(params, self._target, history.vocab)
                for params in history.params
            ):
                return ()
            # Rebuilt in every step, so that a history without some of its steps need not hit the right ones.
            thorough = findings[0].oracle == Rebuild.code
            faults = run(history, self._target, thorough=thorough, beat=self._watchdog.beat).faults
        except Exception:  # the user's own code: the reference, validate_params, an object in the params
            return ()
        is_same = bool(faults) and faults[0].kind == findings[0].kind
        return faults if is_same and not misguessed(history, self._target, faults[0]) else ()

    def caught(self, found: History, findings: tuple[Finding, ...]) -> Caught:
        """The smallest history that fails again, or the one found if none does."""
        findings = self._as_a_second_copy_sees_it(found, findings)
        self.found = found, findings
        if findings[0].oracle == Hang.code:
            self._give_up_at = time.monotonic() + HANGING_SHRINK
            self._watchdog.call_limit = min(self._watchdog.call_limit, HANGING_CALL)
        best: Caught | None = None
        try:
            for start in (min((found, *self._smaller), key=_size), found):
                if not (faults := self._same_faults(start)):
                    continue  # nor would any smaller one fail, but the structural pass would try them all
                best = Caught(faults, start, self._found_after)
                if self._budget.shrink:
                    small = self._smallest(start)
                    self._watchdog.call_limit = self._budget.call_limit
                    if still := self._same_faults(small):
                        best = Caught(still, small, self._found_after)
                return best
        except OutOfTime:
            return best or Caught(findings, found, self._found_after)
        finally:
            self._watchdog.call_limit = self._budget.call_limit
        return Caught(findings, found, self._found_after, fails_again=False)

    def _as_a_second_copy_sees_it(self, found: History, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """What differs between two instances is shown as that: what a solo run makes of it changes from run to run."""
        if findings[0].oracle not in BY_ROW:
            return findings
        try:
            faults = run(found, self._target, thorough=True, beat=self._watchdog.beat).faults
        except TargetError:  # the reference does not fit, which is seen once more and told
            return findings
        return faults if faults and faults[0].oracle == Copies.code else findings

    def _smallest(self, history: History) -> History:
        """By its structure; then, if many steps are left, with params that make it fail sooner, and once more."""
        most = MOST_RUNS if history.vocab <= LARGE else FEW_RUNS

        def still_fails(candidate: History) -> bool:
            return not self._is_late() and bool(self._same_faults(candidate))

        small = shrink(history, still_fails, most)
        while len(small.steps) > FEW_STEPS:
            sooner = self._failing_sooner(small)
            if sooner is None:
                break
            small = shrink(sooner, still_fails, most)
        return small

    def _failing_sooner(self, history: History) -> History | None:
        """With params of one request exchanged for others that the strategy draws; None if it fails no sooner."""
        best, steps = None, len(history.steps)
        for params in drawn_params(self._target, history.vocab, MOST_DRAWN):
            for place in range(1, len(history.params)):
                exchanged = (*history.params[:place], params, *history.params[place + 1 :])
                candidate = replace(history, params=exchanged)
                if (
                    not self._is_late()
                    and (faults := self._same_faults(candidate))
                    and faults[0].step < steps
                ):
                    best, steps = candidate, faults[0].step
        return best and replace(best, steps=best.steps[:steps])


def drawn(target: Target, batch: Batch, source: Source) -> list[History]:
    """The histories of a batch, in order, unplayed."""
    histories: list[History] = []

    @with_seed(batch.seed)
    @_settings(batch)
    @given(source(target, batch.dialect, target.vocab, batch.dtype))
    def collect(history: History) -> None:
        histories.append(history)

    collect()
    return histories if batch.is_first else histories[1:]


def _settings(batch: Batch) -> settings:
    # Hypothesis always begins with the simplest history: it counts in the first batch of a dialect only.
    return settings(
        max_examples=batch.size + (not batch.is_first),
        database=None,  # the same seed gives the same run; failures are kept as histories of our own
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        print_blob=False,
    )


def _size(history: History) -> tuple[int, int]:
    return len(history.steps), sum(1 for _ in history.arrivals())
