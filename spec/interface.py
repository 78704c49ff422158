"""The programming model: what a class must offer to be a batch-level logits processor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

    from .batch_update import BatchUpdate
    from .config import EngineConfig
    from .params import SamplingParams


class LogitsProcessor(ABC):
    """Transforms the logits of a whole persistent batch, one row per request. Source: contract sections C and D."""

    @abstractmethod
    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        """Args:
        config: what the engine was started with; the parts a processor may read are in `EngineConfig`.
        device: where the logits will be.
        is_pin_memory: whether host buffers may be pinned for asynchronous copies.

        Source: contract D7.
        """

    @abstractmethod
    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Return the transformed logits, changed in place or not.

        Args:
            logits: float tensor (num_requests, vocab_size).

        Rows of requests that do not use the processor come back bit-identical (D2); when no request uses it, the
        very tensor that was given comes back (D3); a row depends on its own request only (D4).
        """

    @abstractmethod
    def is_argmax_invariant(self) -> bool:
        """Whether no row's argmax ever changes. Read once, at start-up, per instance. Source: contract D5."""

    @abstractmethod
    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the persistent batch; called once per step before the forward pass, also with None.

        Output tokens have grown even when membership has not changed. Source: contract C1, C4, C6.
        """

    @classmethod
    def validate_params(cls, sampling_params: SamplingParams) -> None:
        """Raise ValueError for parameters that the processor cannot honour.

        Runs when a request arrives; a rejected request never reaches the batch. Source: contract D6.
        """
        return None
