"""The same batches as in one process, shared out among several.

A worker plays batches and says what came of each; the failure that counts is that of the earliest batch, and this
process plays that batch again to make it small. So a seed ends alike whatever the number of workers. A worker that dies
takes no report with it: the history that it was playing is drawn again here, unplayed.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from typing import Any

from logitproof.targets import Target, TargetError

from .batches import Batch
from .finding import Finding
from .generate import Source
from .hunt import Hunt, drawn
from .lethal import smallest_that_dies
from .oracles.crash import Crash
from .outcome import Budget, Caught, Report
from .watchdog import LAST_RESORT, Watchdog

POLL = 0.25
"""Seconds between looks at the clock while every worker is busy."""


@dataclass(slots=True)
class Played:
    """What came of one batch in a worker; everything in it can be sent through a pipe."""

    batch: Batch
    histories: int = 0
    steps: int = 0
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    rows: int = 0
    changed_a_logit: bool = False
    warnings: dict[str, Finding] = field(default_factory=dict)
    known: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: tuple[Finding, ...] = ()
    """What the oracles said of the last history that was played, if it failed."""
    in_time: bool = True
    misfit: str | None = None
    """The text of a TargetError."""
    died: str | None = None
    """How the worker ended, if it did not report."""
    playing: int = 0
    """Which history of the batch was played last, from 0."""

    @property
    def is_last(self) -> bool:
        """Whether no later batch counts."""
        return bool(self.findings or not self.in_time or self.misfit or self.died)

    def add_to(self, report: Report) -> None:
        """Sum it up."""
        report.histories += self.histories
        report.steps += self.steps
        report.transitions.counts += self.counts
        report.transitions.rows += self.rows
        report.transitions.changed_a_logit |= self.changed_a_logit
        report.known += self.known
        for name, warning in self.warnings.items():
            report.warnings.setdefault(name, warning)


class _Worker:
    """One process, and the batch that it plays."""

    def __init__(self, context: Any, play: Callable[[Connection], None]) -> None:
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=play, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self.batch: Batch | None = None
        self.playing = 0

    def give(self, batch: Batch) -> None:
        self.batch, self.playing = batch, 0
        self.pipe.send(batch)

    def receive(self) -> Played | None:
        """What came of the batch, once it is known; None while the worker is at it."""
        assert self.batch is not None
        try:
            message = self.pipe.recv()
        except EOFError:
            self._process.join()
            code = self._process.exitcode or 0
            how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            return Played(self.batch, died=how, playing=self.playing)
        if isinstance(message, int):
            self.playing = message
            return None
        self.batch = None
        played: Played = message
        return played

    def end(self) -> None:
        self.pipe.close()
        self._process.terminate()
        self._process.join(1.0)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def shared_out(
    target: Target,
    batches: Iterator[Batch],
    source: Source,
    budget: Budget,
    watchdog: Watchdog,
    known: Callable[[Finding], bool] | None,
) -> Generator[Played, None, None]:
    """What came of every batch, in the order of the batches, up to the first that failed.

    A worker that plays on after the watchdog's deadline is ended.
    Raises TargetError: this platform cannot fork.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        raise TargetError("--workers needs a platform that can fork processes; leave it away here")
    context = multiprocessing.get_context(
        "fork"
    )  # a target may be a class that no other process could import

    def play(pipe: Connection) -> None:
        _serve(pipe, target, source, replace(budget, shrink=False), watchdog.deadline, known)

    workers = [_Worker(context, play) for _ in range(budget.workers)]
    done: dict[int, Played] = {}
    next_number, is_open = 0, True
    try:
        while True:
            for worker in workers:
                if worker.batch is None and is_open:
                    batch = next(batches, None)
                    is_open = batch is not None
                    if batch is not None:
                        worker.give(batch)
            watchdog.beat()
            busy = {worker.pipe: worker for worker in workers if worker.batch is not None}
            for pipe in wait(list(busy), POLL) if busy else ():
                worker = busy[pipe]
                if (played := worker.receive()) is not None:
                    done[played.batch.number] = played
                    is_open = is_open and not played.is_last
                    if played.died is not None:
                        worker.batch = None
            while next_number in done:
                played = done.pop(next_number)
                next_number += 1
                yield played
                if played.is_last:
                    return
            if not busy and not is_open:
                return
            if busy and time.monotonic() > watchdog.deadline + LAST_RESORT:
                yield from (Played(late.batch, in_time=False) for late in workers if late.batch is not None)
                return
    finally:
        for worker in workers:
            worker.end()


def _serve(
    pipe: Connection,
    target: Target,
    source: Source,
    budget: Budget,
    deadline: float,
    known: Callable[[Finding], bool] | None,
) -> None:
    """A worker's life. It leaves Ctrl-C to the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = os.getppid()
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    while True:
        while not pipe.poll(1.0):
            if os.getppid() != parent:
                return
        try:
            batch = pipe.recv()
        except EOFError:
            return
        report = Report(target)
        played = Played(batch)
        with Watchdog(budget.call_limit, deadline, budget.last_resort) as watchdog:
            hunt = Hunt(report, budget, watchdog, known, begin=pipe.send)
            try:
                played.in_time = hunt.run(batch, source)
            except TargetError as error:
                played.misfit = str(error)
        played.histories, played.steps, played.seconds = report.histories, report.steps, report.seconds
        played.counts, played.rows = report.transitions.counts, report.transitions.rows
        played.changed_a_logit = report.transitions.changed_a_logit
        played.warnings, played.known = report.warnings, report.known
        if hunt.found is not None:
            played.playing, played.findings = report.histories - 1, hunt.found[1]
        pipe.send(played)


def only_seen_by_a_worker(
    played: Played, report: Report, source: Source, budget: Budget, watchdog: Watchdog
) -> list[Caught]:
    """A failure that cannot be shown in this process: a worker died of it, or it was clean when played again."""
    histories = drawn(report.target, played.batch, source)
    if played.playing >= len(histories):
        raise TargetError(f"{report.target.name}: a worker died ({played.died}) outside of any history")
    history = histories[played.playing]
    findings = played.findings
    if played.died is not None:
        if budget.shrink:
            history = smallest_that_dies(history, report.target, _beating(watchdog))
        what = f"the process that played it died ({played.died}); batch {played.batch.seed!r}"
        findings = (Finding(Crash.code, "D1", what, len(history.steps)),)
    return [Caught(findings, history, report.steps, fails_again=played.died is not None)]


def _beating(watchdog: Watchdog) -> Callable[[], bool]:
    """Whether it is late; whoever asks is at work."""

    def is_late() -> bool:
        watchdog.beat()
        return watchdog.is_late()

    return is_late
