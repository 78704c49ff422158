"""What is driven by its methods alone: how it is made, and how it is told of updates, in vLLM's types or in ours."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor
from logitproof.vllm_params import ParamsTranslator
from logitproof.vllm_update import to_vllm_update

if TYPE_CHECKING:
    import torch


class Told(LogitsProcessor):
    """Drives an instance of `target`, which is `inner`. reads_vllm: whether its file imports vllm."""

    target: ClassVar[type[Any]]
    method: ClassVar[str] = "update_state"
    reads_vllm: ClassVar[bool]

    @staticmethod
    @abstractmethod
    def make_inner(config: EngineConfig, device: torch.device, is_pin_memory: bool, /) -> Any:
        """A further instance of `target`; see `constructor`."""

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self.inner = self.make_inner(config, device, is_pin_memory)
        self._translator = ParamsTranslator()

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Hand the update on (contract C4)."""
        told = to_vllm_update(batch_update, self._translator.to_vllm) if self.reads_vllm else batch_update
        getattr(self.inner, self.method)(told)
