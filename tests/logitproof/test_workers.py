"""Several processes play what one would have played, and find what it would have found."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from logitproof.lockstep import Budget, Report, Verdict, fuzz
from logitproof.spec import LogitsProcessor
from logitproof.targets import load_target

EXAMPLE = Path(__file__).parents[2] / "examples" / "ban_token.py"
MIN_P = "logitproof.impl.processors.min_p:MinPLogitsProcessor"


def told(report):
    """Everything but the clock."""
    return (
        report.verdict,
        report.histories,
        report.steps,
        report.transitions.table(),
        report.transitions.rows,
        sorted(report.warnings),
        [(caught.findings, caught.history, caught.found_after) for caught in report.caught],
        report.note,
    )


@pytest.mark.parametrize("workers", [2, 3])
def test_a_clean_run_is_the_same_with_any_number_of_workers(min_p, workers):
    alone = fuzz(min_p, 3, budget=Budget(max_examples=24))
    assert alone.verdict is Verdict.CLEAN
    assert told(fuzz(min_p, 3, budget=Budget(max_examples=24, workers=workers))) == told(alone)


@pytest.mark.parametrize("seed", [0, 1])
def test_a_failure_is_the_same_with_any_number_of_workers(seed):
    target = load_target(f"{EXAMPLE}:BanToken")
    alone = fuzz(target, seed)
    assert alone.verdict is Verdict.FAILED
    assert told(fuzz(target, seed, budget=Budget(workers=2))) == told(alone)


class Dies(LogitsProcessor):
    """Takes the process along as soon as three requests are there."""

    def __init__(self, config, device, is_pin_memory):
        pass

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        pass

    def apply(self, logits):
        if len(logits) > 2:
            self.die()
        return logits

    def die(self):
        os._exit(3)


class Crashes(Dies):
    def die(self):
        os.kill(os.getpid(), signal.SIGSEGV)


@pytest.mark.parametrize(("processor", "how"), [(Dies, "exit code 3"), (Crashes, "SIGSEGV")])
def test_a_worker_that_dies_is_a_fault_with_a_small_history(target_of, processor, how):
    report = fuzz(target_of(processor), 0, budget=Budget(workers=2))
    assert report.verdict is Verdict.FAILED
    (caught,) = report.caught
    assert caught.findings[0].oracle == "crash"
    assert f"died ({how}); batch '0 " in caught.findings[0].summary
    assert len(caught.history.steps) == 1
    assert sum(1 for _ in caught.history.arrivals()) == 3


class Remembers(Dies):
    """Fails where it is first played, which is in a worker, and never in the process that started them."""

    home = os.getpid()

    def apply(self, logits):
        return logits.add_(len(logits) > 2) if os.getpid() != Remembers.home else logits


def test_a_failure_that_only_a_worker_sees_is_reported_as_it_was_seen(target_of):
    Remembers.home = os.getpid()
    report = fuzz(target_of(Remembers), 0, budget=Budget(workers=2))
    assert report.verdict is Verdict.FAILED
    (caught,) = report.caught
    assert not caught.fails_again
    assert caught.findings[0].step <= len(caught.history.steps)


def test_time_that_runs_out_ends_the_workers(min_p):
    began = time.monotonic()
    report = fuzz(min_p, 0, budget=Budget(max_examples=100_000, max_time=2, workers=2))
    assert report.verdict is Verdict.OUT_OF_TIME
    assert report.histories > 0
    assert time.monotonic() - began < 15


def test_progress_grows(min_p):
    seen = []
    fuzz(
        min_p, 0, budget=Budget(max_examples=8, workers=2), progress=lambda report: seen.append(report.steps)
    )
    assert seen == sorted(seen)
    assert seen[-1] > seen[0] > 0


def test_ctrl_c_leaves_a_report_and_no_process_behind(in_empty_folder):
    command = [
        sys.executable,
        "-c",
        "from logitproof.cli import main; main()",
        "fuzz",
        MIN_P,
        "--workers",
        "2",
    ]
    with subprocess.Popen(
        [*command, "--max-examples", "100000", "--max-time", "100", "--seed", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()  # the title: the run has begun
        time.sleep(2)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        told, _ = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "INTERRUPTED" in told
    with pytest.raises(ProcessLookupError):
        os.killpg(running.pid, 0)


def test_a_report_can_be_passed_on(min_p):
    report = Report(min_p)
    assert fuzz(min_p, 0, budget=Budget(max_examples=4, workers=2), report=report) is report
