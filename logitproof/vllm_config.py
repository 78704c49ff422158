"""What a vLLM processor's constructor receives in place of a `VllmConfig`: our configuration under vLLM's names.

Each view holds the parts that constructors of processors read. Reading anything else raises AttributeError and says
what there is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from logitproof.spec import EngineConfig

from .toy_model import BOS, EOS, PAD, model_name

if TYPE_CHECKING:
    import torch


class _View:
    """A configuration that says what it offers when it is asked for something else."""

    _called: ClassVar[str]

    def __getattr__(self, name: str) -> NoReturn:
        offered = [each for each in dir(type(self)) if not each.startswith("_")]
        offered += [each for each in getattr(type(self), "__dataclass_fields__", ()) if each not in offered]
        raise AttributeError(
            f"logitproof runs a vLLM processor without an engine and has no {self._called}.{name}; it offers "
            f"{', '.join(sorted(offered))}. Read {name} only where it exists: "
            f"getattr({self._called}, {name!r}, None)",
            name=name,
            obj=self,
        )


@dataclass(frozen=True)
class HfConfigView(_View):
    """The model's own configuration, as transformers would load it."""

    _called = "hf_config"
    vocab_size: int
    max_position_embeddings: int = 4096
    eos_token_id: int = EOS
    bos_token_id: int = BOS
    pad_token_id: int = PAD
    model_type: str = "logitproof-toy"
    architectures: tuple[str, ...] = ("LogitproofToy",)
    is_encoder_decoder: bool = False

    def get_text_config(self, **kwargs: Any) -> HfConfigView:
        """The same: there is text only."""
        return self

    def to_dict(self) -> dict[str, Any]:
        """The fields."""
        return dict(vars(self))


@dataclass(frozen=True)
class ModelConfigView(_View):
    """A model that exists in name only. `vocab_size` is the width of the logits."""

    _called = "vllm_config.model_config"
    vocab_size: int
    max_model_len: int = 4096
    tokenizer_mode: str = "auto"
    tokenizer_revision: str | None = None
    revision: str | None = None
    trust_remote_code: bool = False
    skip_tokenizer_init: bool = False
    runner_type: str = "generate"
    is_encoder_decoder: bool = False
    is_multimodal_model: bool = False
    seed: int = 0
    max_logprobs: int = 20
    enforce_eager: bool = True
    quantization: str | None = None
    logits_processors: None = None
    generation_config: str = "vllm"
    hf_token: None = None
    hf_overrides: Mapping[str, Any] = field(default_factory=dict)
    override_generation_config: Mapping[str, Any] = field(default_factory=dict)

    def get_vocab_size(self) -> int:
        """Width of the logits, in tokens."""
        return self.vocab_size

    def get_diff_sampling_param(self) -> dict[str, Any]:
        """No defaults that differ from vLLM's."""
        return {}

    def try_get_generation_config(self) -> dict[str, Any]:
        """None."""
        return {}

    @property
    def model(self) -> str:
        """A folder with a tokenizer of this vocabulary."""
        return model_name(self.vocab_size)

    @property
    def tokenizer(self) -> str:
        """The same folder."""
        return model_name(self.vocab_size)

    @property
    def served_model_name(self) -> str:
        """The same."""
        return self.model

    @property
    def dtype(self) -> torch.dtype:
        """Of the weights."""
        import torch

        return torch.float32

    @property
    def hf_config(self) -> HfConfigView:
        """The model's own configuration."""
        return HfConfigView(self.vocab_size, self.max_model_len)

    @property
    def hf_text_config(self) -> HfConfigView:
        """The same."""
        return self.hf_config


@dataclass(frozen=True)
class SchedulerConfigView(_View):
    """Limits of one step."""

    _called = "vllm_config.scheduler_config"
    max_num_seqs: int
    max_num_batched_tokens: int
    max_model_len: int = 4096
    async_scheduling: bool = False
    enable_chunked_prefill: bool = True
    policy: str = "fcfs"


@dataclass(frozen=True)
class ParallelConfigView(_View):
    """One process."""

    _called = "vllm_config.parallel_config"
    tensor_parallel_size: int = 1
    pipeline_parallel_size: int = 1
    data_parallel_size: int = 1
    world_size: int = 1
    rank: int = 0


@dataclass(frozen=True)
class CacheConfigView(_View):
    """No cache is behind it."""

    _called = "vllm_config.cache_config"
    block_size: int = 16
    enable_prefix_caching: bool = False
    cache_dtype: str = "auto"


@dataclass(frozen=True)
class DeviceConfigView(_View):
    """The CPU."""

    _called = "vllm_config.device_config"
    device_type: str = "cpu"

    @property
    def device(self) -> torch.device:
        """The CPU."""
        import torch

        return torch.device("cpu")


@dataclass(frozen=True)
class ReasoningConfigView(_View):
    """A model that thinks between `<think>` and `</think>`, two tokens of the toy vocabulary."""

    _called = "vllm_config.reasoning_config"
    reasoning_parser: str = "logitproof"
    reasoning_start_str: str = "<think>"
    reasoning_end_str: str = "</think>"
    think_start_str: str = "<think>"
    think_end_str: str = "</think>"
    reasoning_start_token_ids: tuple[int, ...] = (4,)
    reasoning_end_token_ids: tuple[int, ...] = (5,)
    natural_reasoning_end_token_ids: tuple[int, ...] = (5,)
    think_start_token_ids: tuple[int, ...] = (4,)
    think_end_token_ids: tuple[int, ...] = (5,)
    enabled: bool = True
    is_thinking_enabled: bool = True


@dataclass(frozen=True)
class VllmConfigView(_View):
    """The parts of a `VllmConfig` that constructors read; no speculative decoding, no reasoning unless asked."""

    _called = "vllm_config"
    scheduler_config: SchedulerConfigView
    model_config: ModelConfigView
    additional_config: Mapping[str, object]
    reasoning_config: ReasoningConfigView | None = None
    speculative_config: None = None
    structured_outputs_config: None = None
    kv_transfer_config: None = None
    quant_config: None = None
    parallel_config: ParallelConfigView = field(default_factory=ParallelConfigView)
    cache_config: CacheConfigView = field(default_factory=CacheConfigView)
    device_config: DeviceConfigView = field(default_factory=DeviceConfigView)
    num_speculative_tokens: int = 0
    instance_id: str = "logitproof"

    @classmethod
    def of(cls, config: EngineConfig, reasons: bool = False) -> VllmConfigView:
        """The view of our configuration. reasons: whether the model thinks before it answers."""
        scheduler, model = config.scheduler_config, config.model_config
        return cls(
            SchedulerConfigView(
                scheduler.max_num_seqs, scheduler.max_num_batched_tokens, model.max_model_len
            ),
            ModelConfigView(model.vocab_size, model.max_model_len),
            config.additional_config,
            ReasoningConfigView() if reasons else None,
        )
