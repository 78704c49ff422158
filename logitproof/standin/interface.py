"""The programming model under vLLM's names. Source: contract, sections A, C and D."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeAlias

from .sampling_params import SamplingParams

if TYPE_CHECKING:
    import torch


class MoveDirectionality(Enum):
    """One request goes to another slot, or two exchange theirs."""

    UNIDIRECTIONAL = auto()
    SWAP = auto()


RemovedRequest: TypeAlias = int
"""A slot that is empty now."""
AddedRequest: TypeAlias = tuple[int, SamplingParams, list[int] | None, list[int]]
"""Slot, params, prompt token ids, and the live list of output token ids."""
MovedRequest: TypeAlias = tuple[int, int, MoveDirectionality]
"""From slot, to slot, how."""


@dataclass(frozen=True)
class BatchUpdate:
    """How the batch has changed. To be read in the order removed, added, moved (contract C1)."""

    batch_size: int
    removed: Sequence[RemovedRequest]
    added: Sequence[AddedRequest]
    moved: Sequence[MovedRequest]


class LogitsProcessor(ABC):
    """Transforms the logits of the whole batch, one row per request."""

    @classmethod
    def validate_params(cls, sampling_params: SamplingParams) -> None:
        """Raise ValueError for params that cannot be honoured. Source: contract D6."""
        return None

    @abstractmethod
    def __init__(self, vllm_config: Any, device: torch.device, is_pin_memory: bool) -> None:
        """Source: contract D7."""
        raise NotImplementedError

    @abstractmethod
    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """logits: float tensor (num_requests, vocab_size). Source: contract D1."""
        raise NotImplementedError

    @abstractmethod
    def is_argmax_invariant(self) -> bool:
        """Whether the highest logit of a row stays the highest. Source: contract D5."""
        raise NotImplementedError

    @abstractmethod
    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Once per step, also with None. Source: contract C4."""
        raise NotImplementedError
