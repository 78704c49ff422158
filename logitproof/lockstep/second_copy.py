"""A second instance that is told everything the first is told, as on another rank, and whose work is measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from logitproof.impl.request import Request
from logitproof.spec import BatchUpdate, LogitsProcessor

from .buffer import LentLogits
from .dispatch_meter import INDEXED, SYNCS
from .elsewhere import FastClock, move_generators_on
from .mirrored import Mirror
from .observation import Work
from .oracles.shape import misfit
from .stretch import Played
from .watchdog import Unresponsive

MOST_MEASURED = 3
"""Steps per history whose work is measured: it triples the cost of an operation, and idle steps are all alike."""


class SecondCopy:
    """Follows the first instance for a whole history. What differs between ranks is made to differ here.

    Ranks have equal params, lists and logits, not the same objects, nor the same random numbers: it is told about
    copies, the global generators are moved on between the two, and its clock runs fast. Every fault of its own ends it:
    whether it raises alone is judged by an oracle, not here.
    """

    def __init__(self, make: Callable[[], LogitsProcessor], beat: Callable[[], None]) -> None:
        """beat: see `Watchdog`."""
        self._make = make
        self._beat = beat
        self._instance: LogitsProcessor | None = None
        self._mirror = Mirror()
        self._clock = FastClock()
        self._was_idle = False
        self._measured = 0
        self._ended = False

    def follow(
        self, played: Played, update: BatchUpdate | None, requests: Sequence[Request], lent: LentLogits
    ) -> None:
        """Play the same step, and write into `played` and `lent` what came of it."""
        if self._ended:
            return
        plain = played.plan.plain
        idle = all(plain)
        meter: _Meter | None = None
        # An update that made the batch plain may clear what is left; what comes after it has nothing to do.
        if idle and self._was_idle and plain and self._measured < MOST_MEASURED:
            self._measured += 1
            meter = _Meter()
        self._was_idle = idle
        move_generators_on()
        update = self._mirror.told(update, requests)
        self._beat()
        try:
            with self._clock, meter or nullcontext():
                if self._instance is None:
                    self._instance = self._make()
                self._instance.update_state(update)
                if played.position is not None:
                    passed = lent.passed(played.position)
                    returned = self._instance.apply(passed)
            if meter is not None:
                played.work = Work(meter.made, meter.syncs, tuple(meter.names))
        except (Exception, Unresponsive) as error:
            self._ended = True
            if meter is None:  # compiled code may refuse to be watched: that is no fault of it
                played.second_error = error
            return
        if played.position is not None:
            if misfit(passed, returned):
                self._ended = True  # `shape` speaks of it when the batch does it
                return
            lent.keep(played.position, returned)


class _Meter(TorchDispatchMode):
    """Counts tensors with memory of their own, and operations that make the host wait."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.made = 0
        self.syncs = 0
        self.names: dict[str, None] = {}

    def count(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        # A number written into one row comes by as a tensor without dimensions: that is no work to speak of.
        made = any(
            bool(each.dim()) if name == "lift_fresh" else not _shares_memory(each, args)
            for each in (result if isinstance(result, tuple | list) else (result,))
            if isinstance(each, torch.Tensor)
        )
        waits = name in SYNCS or (name in INDEXED and _has_mask(args[1]))
        self.made += made
        self.syncs += waits
        if made or waits:
            self.names[name] = None
        return result


# Not in the class body: what stands there is wrapped, and the wrapper imports torch's compiler, two seconds of work.
_Meter.__torch_dispatch__ = _Meter.count  # type: ignore[assignment,method-assign]


def _shares_memory(result: torch.Tensor, args: Any) -> bool:
    memory = result.untyped_storage().data_ptr()
    return any(
        isinstance(each, torch.Tensor) and each.untyped_storage().data_ptr() == memory for each in args
    )


def _has_mask(indices: Any) -> bool:
    return any(isinstance(each, torch.Tensor) and each.dtype is torch.bool for each in indices)
