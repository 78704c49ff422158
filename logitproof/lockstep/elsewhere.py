"""What is another on another rank: how fast its clock runs, and where the generators of random numbers stand."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

DAY = 86_400
"""Seconds: beyond whatever a processor may wait for."""
CLOCKS = ("time", "monotonic", "perf_counter", "time_ns", "monotonic_ns", "perf_counter_ns")
_OURS = {name: getattr(time, name) for name in CLOCKS}


class FastClock:
    """For code that reads the clock by way of the module `time`, a day passes whenever this is entered."""

    def __init__(self) -> None:
        self._days = 0
        self._theirs = {name: self._ahead(clock, name) for name, clock in _OURS.items()}

    def _ahead(self, clock: Callable[[], Any], name: str) -> Callable[[], Any]:
        day = DAY * 10**9 if name.endswith("_ns") else DAY
        return lambda: clock() + day * self._days

    def __enter__(self) -> None:
        self._days += 1
        vars(time).update(self._theirs)

    def __exit__(self, *_: object) -> None:
        vars(time).update(_OURS)


def move_generators_on() -> None:
    """Draw from every global generator."""
    random.random()
    torch.empty(1).uniform_()
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.random()
