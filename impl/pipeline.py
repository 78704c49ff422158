"""All built-in processors as one: what the lockstep engine compares with the model's pipeline."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any

import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from .processor_set import partition
from .registry import ENTRIES
from .row_state import RowStates


class PipelineLogitsProcessor(LogitsProcessor):
    """`apply` turns each row into the logits that its token is taken from.

    Greedy rows skip the argmax-invariant processors, since their argmax is taken before these act (contract E2, E3).
    """

    logitproof_unsupported = frozenset({"async"})
    """Penalties read token values, minimum lengths count them: no row can be right while tokens are on their way."""

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._processors = partition(entry.processor(config, device, is_pin_memory) for entry in ENTRIES)
        self._is_greedy: RowStates[bool] = RowStates()

    def is_argmax_invariant(self) -> bool:
        """False: some of its parts are not. Source: contract D5."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Tell every part. Source: contract C4."""
        self._processors.update_state(batch_update)
        self._is_greedy.update(batch_update, lambda params, prompt, outputs: params.is_greedy or None)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """All parts in order; float tensor (num_requests, vocab_size). Source: contract E1 to E3."""
        for processor in self._processors.non_argmax_invariant:
            logits = processor.apply(logits)
        greedy = [row for row, _ in self._is_greedy.items()]
        if len(greedy) == len(logits):
            return logits
        constrained = logits[greedy] if greedy else None
        for processor in self._processors.argmax_invariant:
            logits = processor.apply(logits)
        if constrained is not None:
            logits[greedy] = constrained
        return logits


def mixed_params(rng: random.Random, vocab_size: int) -> SamplingParams:
    """Params of a request that uses some of the features, each with a chance of one third."""
    plain = SamplingParams()
    mixed: dict[str, Any] = {}
    for entry in ENTRIES:
        if rng.random() < 1 / 3:
            params = entry.sample_params(rng, vocab_size)
            mixed |= {
                field.name: getattr(params, field.name)
                for field in fields(params)
                if getattr(params, field.name) != getattr(plain, field.name)
            }
    return SamplingParams(**mixed)
