"""What temperature, min-p, top-k and top-p share: one number per request, and work on whole rows."""

from __future__ import annotations

from abc import abstractmethod

import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from ..row_state import RowStates
from ..row_values import RowValues, row_values
from ..staging import Staging
from ..strategy import Strategy, strategy_for


class NumberPerRowLogitsProcessor(LogitsProcessor):
    """Acts on the rows whose request has a number, by the strategy of the device; other rows cost nothing."""

    @staticmethod
    @abstractmethod
    def number_of(params: SamplingParams) -> float | None:
        """The request's number, or None if it does not use the feature."""

    @staticmethod
    @abstractmethod
    def act(strategy: Strategy, logits: torch.Tensor, numbers: RowValues) -> None:
        """Change the named rows in place."""

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._staging = Staging(device, is_pin_memory)
        self._strategy = strategy_for(device)
        self._states: RowStates[float] = RowStates()
        self._numbers = row_values((), self._staging)

    def is_argmax_invariant(self) -> bool:
        """True: scaling keeps the order, and a cut keeps the highest logit. Source: contract D5."""
        return True

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch; tensors are renewed only if a row with a number changed. Source: contract C1, C4."""
        if self._states.update(batch_update, self._number):
            self._numbers = row_values(self._states.items(), self._staging)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Act in place and return `logits`: float tensor (num_requests, vocab_size). Source: contract D1 to D5, D8."""
        if self._states:
            self.act(self._strategy, logits, self._numbers)
        return logits

    def _number(
        self, params: SamplingParams, prompt_token_ids: list[int] | None, output_token_ids: list[int]
    ) -> float | None:
        return self.number_of(params)
