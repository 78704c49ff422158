"""Ends what does not end by itself: a call of a processor that does not return, and a run whose time is over.

An alarm rings every now and then in the main thread, and raises into whatever is running there. Code that never comes
back to the interpreter cannot be reached so; with `last_resort` the process then prints where it stands, and exits.
"""

from __future__ import annotations

import faulthandler
import signal
import threading
from time import monotonic  # by name: the module's may be another (see `elsewhere`)
from types import FrameType, TracebackType
from typing import Any

TICK = 0.25
GRACE = 1.0
"""Seconds after a deadline until somebody who looks at the clock between two histories is interrupted within one."""
SWALLOWING = ("gc_callback", "__del__")
"""Functions that the interpreter calls by itself: what is raised in them is printed and forgotten."""
LAST_RESORT = 2.0
"""Seconds after a call's limit until the process gives up on raising into it."""


class Unresponsive(BaseException):
    """A call did not return in time. Not an Exception, so that few things take it for their own affair."""

    def __init__(self, seconds: float, where: str) -> None:
        self.where = where
        """The line that was being executed."""
        super().__init__(f"did not return within {seconds:g} s; it was at {where}")


class OutOfTime(BaseException):
    """The run's time is over."""


RAISED = (Exception, SystemExit, Unresponsive)
"""What a call of a processor may end with, besides its result."""


class Watchdog:
    """Guards a block of the main thread; elsewhere, or where somebody else has set an alarm, it does nothing.

    call_limit: seconds without a `beat`. deadline: of `time.monotonic()`.
    """

    def __init__(self, call_limit: float, deadline: float, last_resort: bool = False) -> None:
        self.call_limit = call_limit
        self.deadline = deadline
        self._last_resort = last_resort
        self._beats = 0
        self._seen = 0
        self._since = 0.0
        self._previous: Any = None
        self._watches = False

    def beat(self) -> None:
        """Called before every call that may not return."""
        self._beats += 1

    def is_late(self) -> bool:
        """Whether the time is over."""
        return monotonic() > self.deadline

    def __enter__(self) -> Watchdog:
        is_free = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
        if is_free and signal.getitimer(signal.ITIMER_REAL)[0] == 0:
            self._watches = True
            self._since = monotonic()
            self._previous = signal.signal(signal.SIGALRM, self._ring)
            signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
            self._arm(self._since)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._watches:
            self._watches = False  # first of all: an alarm in here must not keep the rest from being done
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._previous)
            if self._last_resort:
                faulthandler.cancel_dump_traceback_later()

    def _arm(self, now: float) -> None:
        """Put the last resort off, as long as what is raised may still get through."""
        over = min(self._since + self.call_limit, self.deadline + GRACE)
        if self._last_resort and now < over:
            faulthandler.dump_traceback_later(over - now + LAST_RESORT, exit=True, file=2)

    def _ring(self, signal_number: int, frame: FrameType | None) -> None:
        if not self._watches:
            return
        now = monotonic()
        if self._beats != self._seen:
            self._seen, self._since = self._beats, now
        self._arm(now)
        if frame is not None and frame.f_code.co_name in SWALLOWING:
            return  # until the next tick
        if now > self.deadline + GRACE:
            raise OutOfTime
        if now > self._since + self.call_limit:
            where = f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame else "an unknown place"
            raise Unresponsive(self.call_limit, where)


def no_beat() -> None:
    """For runs that nobody guards."""
