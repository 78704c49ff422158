"""What does not end by itself is ended, and said."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from math import inf

import pytest
from hypothesis import strategies as st

from logitproof.lockstep import Budget, Verdict, fuzz
from logitproof.lockstep.conclusion import LEAST_STEPS
from logitproof.lockstep.watchdog import GRACE, OutOfTime, Unresponsive, Watchdog
from logitproof.spec import LogitsProcessor, SamplingParams
from logitproof.targets import TargetError

HANGING = 2.0
"""Seconds that a call may take in these tests."""
QUICK = Budget(call_limit=HANGING)


class Bias(LogitsProcessor):
    """Correct: adds min_p to the row of its request."""

    def __init__(self, config, device, is_pin_memory):
        self.rows = []

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is None:
            return
        rows = dict(enumerate(self.rows))
        for row in batch_update.removed:
            del rows[row]
        for row, params, _prompt, _outputs in batch_update.added:
            rows[row] = params.min_p
        for source, destination, how in batch_update.moved:
            if how.name == "SWAP":
                rows[source], rows[destination] = rows[destination], rows[source]
            else:
                rows[destination] = rows.pop(source)
        self.rows = [rows[row] for row in range(batch_update.batch_size)]

    def apply(self, logits):
        for row, bias in enumerate(self.rows):
            if bias:
                logits[row] += bias
        return logits


class HangsInApply(Bias):
    def apply(self, logits):
        while len(self.rows) == 2:
            pass
        return super().apply(logits)


class HangsInUpdate(Bias):
    def update_state(self, batch_update):
        super().update_state(batch_update)
        if len(self.rows) == 2:
            time.sleep(60)


class HangsWhenMade(Bias):
    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        time.sleep(60)


class Slow(Bias):
    def apply(self, logits):
        time.sleep(0.02)
        return super().apply(logits)


@pytest.mark.parametrize(
    ("processor", "what"),
    [(HangsInApply, "apply"), (HangsInUpdate, "update_state"), (HangsWhenMade, "the constructor")],
)
def test_a_call_that_hangs_is_a_fault_with_the_history_that_leads_to_it(target_of, processor, what):
    report = fuzz(target_of(processor), 0, budget=QUICK)
    assert report.verdict is Verdict.FAILED
    (caught,) = report.caught
    finding = caught.findings[0]
    assert finding.oracle == "hang"
    assert finding.summary.startswith(f"{what} of the batch did not return within 2 s; it was at {__file__}:")
    assert len(caught.history.steps) <= 1
    assert caught.fails_again


@pytest.mark.parametrize("processor", [HangsInApply, HangsInUpdate, HangsWhenMade])
def test_a_run_ends_on_time_whatever_hangs(target_of, processor):
    began = time.monotonic()
    report = fuzz(target_of(processor), 0, budget=Budget(max_time=0.5))
    assert report.verdict is Verdict.OUT_OF_TIME
    assert time.monotonic() - began < 0.5 + GRACE + 10


def test_a_slow_target_is_clean_when_it_has_played_enough(target_of):
    report = fuzz(target_of(Slow), 0, budget=Budget(max_examples=10_000, enough=15.0))
    assert report.verdict in (Verdict.CLEAN, Verdict.OUT_OF_TIME)
    assert (report.verdict is Verdict.CLEAN) == (report.steps >= LEAST_STEPS)
    assert f"{report.histories} histories" in report.note


def test_a_slow_target_that_has_played_too_little_is_not_clean(target_of):
    report = fuzz(target_of(Slow), 0, budget=Budget(max_examples=10_000, enough=0.5))
    assert report.verdict is Verdict.OUT_OF_TIME
    assert report.steps < LEAST_STEPS


def test_a_strategy_that_hangs_is_wrong_usage(target_of):
    slow = st.integers().map(lambda number: time.sleep(60))
    target = replace(target_of(Bias), params_for=lambda vocab: slow)
    with pytest.raises(TargetError, match=r"the test: drawing requests did not return within 2 s"):
        fuzz(target, 0, budget=QUICK)


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        (
            st.integers(0, 3).map(lambda number: SamplingParams(min_p=1 / (number - number))),
            "ZeroDivisionError",
        ),
        (st.integers(5, 1), "the strategy does not work"),
        (st.just(SamplingParams()).filter(lambda params: False), "the strategy does not work"),
    ],
)
def test_a_strategy_that_raises_is_wrong_usage(target_of, strategy, said):
    target = replace(target_of(Bias), params_for=lambda vocab: strategy)
    with pytest.raises(TargetError, match=said):
        fuzz(target, 0)


# --- the alarm itself -------------------------------------------------------------------------------------------------


def stand_still():
    while True:
        pass


def spin(beat):
    while True:
        beat()


def test_it_rings_without_a_beat_and_says_where():
    with Watchdog(0.3, inf), pytest.raises(Unresponsive, match=r"0\.3 s; it was at .*test_watchdog.py:\d+"):
        stand_still()


def test_a_beat_keeps_it_quiet():
    with Watchdog(0.6, inf) as watchdog:
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            watchdog.beat()


def test_a_deadline_holds_even_with_beats():
    with Watchdog(60, time.monotonic()) as watchdog, pytest.raises(OutOfTime):
        spin(watchdog.beat)


def test_somebody_elses_alarm_is_left_alone():
    previous = signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, 30)
    try:
        with Watchdog(0.1, time.monotonic()):
            time.sleep(0.5)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 20
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_the_alarm_is_put_back():
    before = signal.getsignal(signal.SIGALRM)
    with Watchdog(1, inf):
        assert signal.getsignal(signal.SIGALRM) is not before
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_code_that_never_comes_back_to_python_ends_with_the_process():
    program = (
        "from logitproof.lockstep.watchdog import Watchdog\n"
        "with Watchdog(0.5, float('inf'), last_resort=True):\n"
        "    sum(range(10**13))\n"
    )
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == 1
    assert 'File "<string>", line 3' in ended.stderr
