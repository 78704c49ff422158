"""Which names of vLLM and other packages there are, module by module, and what plays each.

A value is `module:attribute` of ours, or None for a name that may be imported but not used.
"""

from __future__ import annotations

_HERE = "logitproof.standin"
_INTERFACE = {
    name: f"{_HERE}.interface:{name}" for name in ("BatchUpdate", "LogitsProcessor", "MoveDirectionality")
}
_REQUESTS = {name: f"{_HERE}.interface:{name}" for name in ("AddedRequest", "MovedRequest", "RemovedRequest")}
_BATCH_STATE = {name: f"{_HERE}.batch_state:{name}" for name in ("BatchUpdateBuilder", "LogitsProcessors")}
_BUILTIN = {
    "LogitBiasLogitsProcessor": f"{_HERE}.builtin:LogitBiasLogitsProcessor",
    "MinPLogitsProcessor": f"{_HERE}.builtin:MinPLogitsProcessor",
    "MinTokensLogitsProcessor": f"{_HERE}.builtin:MinTokensLogitsProcessor",
    "process_dict_updates": f"{_HERE}.dict_updates:process_dict_updates",
}
_PARAMS: dict[str, str | None] = {
    name: f"{_HERE}.sampling_params:{name}"
    for name in ("RequestOutputKind", "SamplingParams", "SamplingType", "StructuredOutputsParams")
}
_REQUEST = f"{_HERE}.adapter:RequestLogitsProcessor"
_VIEW = "logitproof.vllm_config"
_TOKENIZER = f"{_HERE}.tokenizer"
_TOKENIZERS: dict[str, str | None] = {
    "AnyTokenizer": f"{_TOKENIZER}:ToyTokenizer",
    "TokenizerBase": f"{_TOKENIZER}:ToyTokenizer",
    "TokenizerLike": f"{_TOKENIZER}:ToyTokenizer",
    "cached_get_tokenizer": f"{_TOKENIZER}:cached_get_tokenizer",
    "cached_tokenizer_from_config": f"{_TOKENIZER}:cached_tokenizer_from_config",
    "get_tokenizer": f"{_TOKENIZER}:get_tokenizer",
    "init_tokenizer_from_configs": f"{_TOKENIZER}:init_tokenizer_from_configs",
}
_PYDANTIC = (
    "BaseModel ConfigDict Field PrivateAttr TypeAdapter ValidationError field_validator model_validator"
)
_PYDANTIC += " validator root_validator computed_field confloat conint conlist PositiveInt PositiveFloat NonNegativeInt"
_PYDANTIC += " NonNegativeFloat StrictInt StrictFloat StrictBool StrictStr"
_REGEX = (
    "compile match fullmatch search findall finditer sub subn split escape error Pattern Match IGNORECASE I"
)
_REGEX += " MULTILINE M DOTALL S VERBOSE X ASCII"
_PIN = f"{_HERE}.platform:is_pin_memory_available"
_PLATFORM = f"{_HERE}.platform"

MODULES: dict[str, dict[str, str | None]] = {
    "vllm": {
        "SamplingParams": _PARAMS["SamplingParams"],
        "__version__": f"{_PLATFORM}:VERSION",
        "AsyncEngineArgs": None,
        "AsyncLLMEngine": None,
        "CompletionOutput": None,
        "EngineArgs": None,
        "LLM": None,
        "LLMEngine": None,
        "PoolingParams": None,
        "RequestOutput": None,
        "TextPrompt": None,
        "TokensPrompt": None,
    },
    "vllm.config": {
        "CacheConfig": f"{_VIEW}:CacheConfigView",
        "DeviceConfig": f"{_VIEW}:DeviceConfigView",
        "LoRAConfig": None,
        "ModelConfig": f"{_VIEW}:ModelConfigView",
        "ParallelConfig": f"{_VIEW}:ParallelConfigView",
        "ReasoningConfig": f"{_VIEW}:ReasoningConfigView",
        "SchedulerConfig": f"{_VIEW}:SchedulerConfigView",
        "SpeculativeConfig": None,
        "VllmConfig": f"{_VIEW}:VllmConfigView",
        "get_current_vllm_config": None,
        "set_current_vllm_config": None,
    },
    "vllm.config.reasoning": {"ReasoningConfig": f"{_VIEW}:ReasoningConfigView"},
    "vllm.config.vllm": {"VllmConfig": f"{_VIEW}:VllmConfigView"},
    "vllm.envs": {},
    "vllm.exceptions": {"VLLMValidationError": "builtins:ValueError"},
    "vllm.logger": {"init_logger": f"{_PLATFORM}:init_logger", "logger": f"{_PLATFORM}:vllm_logger"},
    "vllm.logits_process": {"LogitsProcessor": _REQUEST, "LogitsProcessors": _REQUEST},
    "vllm.multimodal.registry": {
        "cached_tokenizer_from_config": f"{_TOKENIZER}:cached_tokenizer_from_config",
        "MultiModalRegistry": None,
    },
    "vllm.platforms": {
        "current_platform": f"{_PLATFORM}:current_platform",
        "CpuPlatform": f"{_PLATFORM}:CpuPlatform",
    },
    "vllm.sampling_params": {
        **_PARAMS,
        "BeamSearchParams": None,
        "GuidedDecodingParams": f"{_HERE}.sampling_params:StructuredOutputsParams",
        "RepetitionDetectionParams": None,
    },
    "vllm.tokenizers": _TOKENIZERS,
    "vllm.tokenizers.registry": _TOKENIZERS,
    "vllm.transformers_utils": {},
    "vllm.transformers_utils.tokenizer": _TOKENIZERS,
    "vllm.transformers_utils.tokenizer_base": _TOKENIZERS,
    "vllm.utils": {
        "is_pin_memory_available": _PIN,
        "make_tensor_with_pad": f"{_PLATFORM}:make_tensor_with_pad",
    },
    "vllm.utils.platform_utils": {"is_pin_memory_available": _PIN},
    "vllm.utils.torch_utils": {
        "async_tensor_h2d": f"{_PLATFORM}:async_tensor_h2d",
        "is_pin_memory_available": _PIN,
        "make_tensor_with_pad": f"{_PLATFORM}:make_tensor_with_pad",
    },
    "vllm.v1": {},
    "vllm.v1.sample": {},
    "vllm.v1.sample.logits_processor": {
        **_INTERFACE,
        **_BATCH_STATE,
        **_BUILTIN,
        "AdapterLogitsProcessor": f"{_HERE}.adapter:AdapterLogitsProcessor",
        "BUILTIN_LOGITS_PROCESSORS": f"{_HERE}.builtin:BUILTIN_LOGITS_PROCESSORS",
        "RequestLogitsProcessor": _REQUEST,
        "build_logitsprocs": None,
    },
    "vllm.v1.sample.logits_processor.builtin": {**_INTERFACE, **_BUILTIN},
    "vllm.v1.sample.logits_processor.interface": {**_INTERFACE, **_REQUESTS},
    "vllm.v1.sample.logits_processor.state": {
        "BatchUpdate": _INTERFACE["BatchUpdate"],
        **_REQUESTS,
        **_BATCH_STATE,
    },
    "vllm.v1.sample.metadata": {"SamplingMetadata": None},
    "vllm.version": {"__version__": f"{_PLATFORM}:VERSION"},
    "transformers": {
        "AutoConfig": f"{_HERE}.transformers:AutoConfig",
        "AutoModelForCausalLM": None,
        "AutoTokenizer": f"{_TOKENIZER}:ToyTokenizer",
        "LogitsProcessor": f"{_HERE}.transformers:LogitsProcessor",
        "LogitsProcessorList": f"{_HERE}.transformers:LogitsProcessorList",
        "PreTrainedTokenizer": f"{_TOKENIZER}:ToyTokenizer",
        "PreTrainedTokenizerBase": f"{_TOKENIZER}:ToyTokenizer",
        "PreTrainedTokenizerFast": f"{_TOKENIZER}:ToyTokenizer",
    },
    "transformers.generation": {},
    "transformers.generation.logits_process": {
        "LogitsProcessor": f"{_HERE}.transformers:LogitsProcessor",
        "LogitsProcessorList": f"{_HERE}.transformers:LogitsProcessorList",
        "_calc_banned_ngram_tokens": f"{_HERE}.transformers:banned_ngram_tokens",
    },
    "pydantic": {name: f"{_HERE}.pydantic:{name}" for name in _PYDANTIC.split()},
    "regex": {name: f"re:{name}" for name in _REGEX.split()},
}

UNPLAYED = (
    "vllm.attention",
    "vllm.beam_search",
    "vllm.compilation",
    "vllm.distributed",
    "vllm.engine",
    "vllm.entrypoints",
    "vllm.inputs",
    "vllm.forward_context",
    "vllm.lora",
    "vllm.model_executor",
    "vllm.multimodal",
    "vllm.outputs",
    "vllm.plugins",
    "vllm.pooling_params",
    "vllm.reasoning",
    "vllm.sequence",
    "vllm.tool_parsers",
    "vllm.usage",
    "vllm.v1.core",
    "vllm.v1.engine",
    "vllm.v1.executor",
    "vllm.v1.outputs",
    "vllm.v1.request",
    "vllm.v1.sample.ops",
    "vllm.v1.sample.sampler",
    "vllm.v1.spec_decode",
    "vllm.v1.structured_output",
    "vllm.v1.worker",
)
"""Parts of vLLM that hold no logits processors: every name in them may be imported, and none used."""
