"""vLLM's built-in processors, played by ours."""

from __future__ import annotations

from logitproof.impl import processors
from logitproof.vllm_load import for_vllm

_VLLM = "vllm.v1.sample.logits_processor.builtin"

MinPLogitsProcessor = for_vllm(processors.MinPLogitsProcessor, _VLLM)
LogitBiasLogitsProcessor = for_vllm(processors.LogitBiasLogitsProcessor, _VLLM)
MinTokensLogitsProcessor = for_vllm(processors.MinTokensLogitsProcessor, _VLLM)
BUILTIN_LOGITS_PROCESSORS = [MinTokensLogitsProcessor, LogitBiasLogitsProcessor, MinPLogitsProcessor]
