"""The engine configuration that a processor's constructor may read (contract D7).

Attribute paths are those that processors written for vLLM use: `config.scheduler_config.max_num_seqs`,
`config.model_config.get_vocab_size()`, and so on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


def _positive(name: str, value: int) -> None:
    if type(value) is not int or value < 1:
        raise ValueError(
            f"Expected a positive integer but got {name}={value!r} (type={type(value).__name__})"
        )


@dataclass(frozen=True, slots=True)
class SchedulerConfig:
    """Limits of one step. `max_num_seqs`: slots of the persistent batch."""

    max_num_seqs: int = 256
    max_num_batched_tokens: int = 2048

    def __post_init__(self) -> None:
        _positive("max_num_seqs", self.max_num_seqs)
        _positive("max_num_batched_tokens", self.max_num_batched_tokens)


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """The model's sizes, in tokens. `vocab_size` is the width of the logits."""

    vocab_size: int = 32_000
    max_model_len: int = 4096

    def __post_init__(self) -> None:
        _positive("vocab_size", self.vocab_size)
        _positive("max_model_len", self.max_model_len)

    def get_vocab_size(self) -> int:
        """Width of the logits, in tokens."""
        return self.vocab_size


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What the engine was started with."""

    scheduler_config: SchedulerConfig = field(default_factory=SchedulerConfig)
    model_config: ModelConfig = field(default_factory=ModelConfig)
    speculative_config: None = None
    """Speculative decoding is outside the contract's first milestones, so it is always off."""
    additional_config: Mapping[str, object] = field(default_factory=dict)
    """Free-form settings for custom processors."""
