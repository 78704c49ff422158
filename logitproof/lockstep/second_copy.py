"""A second instance that is told everything the first is told, as on another rank, and whose work is measured."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from logitproof.spec import LogitsProcessor

from .observation import Observation, Work

MOST_MEASURED = 3
"""Steps per history whose work is measured: it triples the cost of an operation, and idle steps are all alike."""
SYNCS = {
    "item",
    "is_nonzero",
    "_local_scalar_dense",
    "nonzero",
    "masked_select",
    "equal",
    "_unique2",
    "unique_dim",
}
"""Operations whose result the host waits for; the first two are what inference mode shows of the third."""
INDEXED = {"index", "index_put", "index_put_", "_index_put_impl_"}
"""They wait too where an index is a boolean mask."""


class SecondCopy:
    """Follows the first instance for a whole history. What differs between ranks is made to differ here.

    Ranks have the same params and logits, not the same random numbers, so the global generators are moved on between
    the two. Every fault of its own ends it: whether it raises alone is judged by an oracle, not here.
    """

    def __init__(self, make: Callable[[], LogitsProcessor]) -> None:
        self._make = make
        self._instance: LogitsProcessor | None = None
        self._was_idle = False
        self._measured = 0
        self._ended = False

    def follow(self, seen: Observation) -> None:
        """Play the same step, and write into `seen` what came of it."""
        if self._ended:
            return
        idle = all(seen.plain)
        meter: _Meter | None = None
        # An update that made the batch plain may clear what is left; what comes after it has nothing to do.
        if idle and self._was_idle and seen.requests and self._measured < MOST_MEASURED:
            self._measured += 1
            meter = _Meter()
        self._was_idle = idle
        passed = None
        if seen.returned is not None and seen.given is not None:
            # Where the first instance's logits lie, one row into a buffer: kernels may round by alignment.
            rows, vocab = seen.given.shape
            passed = seen.given.new_empty(rows + 2, vocab)[1 : rows + 1].copy_(seen.given)
        _move_generators_on()
        try:
            if self._instance is None:
                self._instance = self._make()
            with meter or nullcontext():
                self._instance.update_state(seen.update)
                if passed is not None:
                    seen.second = self._instance.apply(passed)
            if meter is not None:
                seen.work = Work(meter.made, meter.syncs, tuple(meter.names))
        except Exception as error:
            self._ended = True
            if meter is None:  # compiled code may refuse to be watched: that is no fault of it
                seen.second_error = error


def _move_generators_on() -> None:
    random.random()
    torch.empty(1).uniform_()
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.random()


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
        made = isinstance(result, torch.Tensor) and (
            bool(result.dim()) if name == "lift_fresh" else not _shares_memory(result, args)
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
