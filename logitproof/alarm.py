"""Ends a run of the proofs that hangs: their own budget is deterministic, but a broken rule may loop for ever."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn


class OutOfTime(BaseException):
    """The wall clock has run out. Not an Exception, so that nothing takes it for a fault of the model."""


@contextmanager
def alarm_after(seconds: float) -> Iterator[None]:
    """Raise OutOfTime if the block takes longer: a broken rule may loop for ever."""

    def give_up(signal_number: int, frame: FrameType | None) -> NoReturn:
        raise OutOfTime(f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else "an unknown place")

    def unless_late(report: Any) -> None:
        if not isinstance(report.exc_value, OutOfTime):
            sys.__unraisablehook__(report)

    previous, sys.unraisablehook = signal.signal(signal.SIGALRM, give_up), unless_late
    # Again every second: raised inside a destructor, the first alarm would be lost.
    signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
        sys.unraisablehook = sys.__unraisablehook__
