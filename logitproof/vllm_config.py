"""What a vLLM processor's constructor receives in place of a `VllmConfig`: our configuration under vLLM's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NoReturn

from logitproof.spec import EngineConfig, ModelConfig, SchedulerConfig


@dataclass(frozen=True, slots=True)
class VllmConfigView:
    """The parts of a `VllmConfig` that constructors of processors read.

    Speculative decoding and reasoning are off. Reading anything else raises AttributeError and says what there is.
    """

    scheduler_config: SchedulerConfig
    model_config: ModelConfig
    additional_config: Mapping[str, object]
    speculative_config: None = None
    reasoning_config: None = None
    structured_outputs_config: None = None

    @classmethod
    def of(cls, config: EngineConfig) -> VllmConfigView:
        """The view of our configuration."""
        return cls(config.scheduler_config, config.model_config, config.additional_config)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"logitproof runs a vLLM processor without an engine and has no vllm_config.{name}; it offers "
            f"{', '.join(VllmConfigView.__slots__)}. Read {name} only where it exists: "
            f"getattr(vllm_config, {name!r}, None)",
            name=name,
            obj=self,
        )
