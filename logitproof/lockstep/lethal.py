"""Histories in which a processor takes its whole process along: each is tried in a process of its own."""

from __future__ import annotations

import faulthandler
import os
import signal
import time
from collections.abc import Callable

from logitproof.targets import Target

from .admission import admitted
from .driver import run
from .history import History
from .shrink import shrink

PATIENCE = 15.0
"""Seconds for making such a history small; every candidate costs a fork, some hundredths of a second."""
LONGEST_TRY = 5


def smallest_that_dies(history: History, target: Target, is_late: Callable[[], bool]) -> History:
    """The smallest history found that still ends the process."""
    give_up_at = time.monotonic() + PATIENCE

    def still_dies(smaller: History) -> bool:
        if is_late() or time.monotonic() > give_up_at:
            return False
        fits = all(
            params in history.params or admitted(params, target, smaller.vocab) for params in smaller.params
        )
        return fits and dies(smaller, target)

    return shrink(history, still_dies) if still_dies(history) else history


def dies(history: History, target: Target) -> bool:
    """Whether playing it ends a process in any other way than by coming to the end."""
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.alarm(LONGEST_TRY)
        try:
            _silence()
            run(history, target)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return os.WTERMSIG(status) != signal.SIGALRM
    return os.WEXITSTATUS(status) != 0


def _silence() -> None:
    """What a dying process prints has been printed by the first one."""
    faulthandler.disable()  # a test runner's has a descriptor of its own
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
