"""Instances that share no state outside of them, to see whether a failure comes of it."""

from __future__ import annotations

from dataclasses import replace

import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor
from logitproof.targets import Target
from logitproof.targets.outside import Outside, State

from .driver import run
from .finding import Finding
from .history import History


def comes_of_shared_state(history: History, target: Target, finding: Finding) -> bool:
    """Whether that row is right up to that step if every instance has the modules and classes to itself."""
    outside = target.outside
    if outside is None:
        return False
    run(history, target, thorough=True)
    if not outside.has_changed():
        return False

    def make(config: EngineConfig, device: torch.device, is_pin_memory: bool) -> LogitsProcessor:
        return _Private(target, outside, config, device, is_pin_memory)

    faults = run(history, replace(target, make=make), thorough=True).faults
    target.put_back()
    same = (fault for fault in faults if finding.request in (None, fault.request))
    return not any(fault.step <= finding.step for fault in same)


class _Private(LogitsProcessor):
    """An instance that finds the outside as it has left it."""

    def __init__(
        self,
        target: Target,
        outside: Outside,
        config: EngineConfig,
        device: torch.device,
        is_pin_memory: bool,
    ) -> None:
        self._outside = outside
        outside.restore()
        self._inner = target.make(config, device, is_pin_memory)
        self._own: State = outside.take()

    def is_argmax_invariant(self) -> bool:
        return self._inner.is_argmax_invariant()

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        self._outside.put(self._own)
        self._inner.update_state(batch_update)
        self._own = self._outside.take()

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        self._outside.put(self._own)
        returned = self._inner.apply(logits)
        self._own = self._outside.take()
        return returned
