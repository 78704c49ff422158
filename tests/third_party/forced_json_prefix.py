"""Forces an answer to begin like JSON, with the model's own tokenizer."""

import torch
from transformers import AutoTokenizer
from vllm.config import VllmConfig
from vllm.sampling_params import SamplingParams
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

JSON_PREFIX = '{"'


class JsonPrefix(AdapterLogitsProcessor):
    def __init__(self, vllm_config: VllmConfig, device: torch.device, is_pin_memory: bool):
        super().__init__(vllm_config, device, is_pin_memory)
        self.tokenizer = AutoTokenizer.from_pretrained(
            vllm_config.model_config.tokenizer, trust_remote_code=vllm_config.model_config.trust_remote_code
        )
        self.prefix_ids = self.tokenizer.encode(JSON_PREFIX, add_special_tokens=False)

    def is_argmax_invariant(self):
        return False

    def new_req_logits_processor(self, params: SamplingParams):
        if not (params.extra_args or {}).get("force_json", False):
            return None
        prefix_ids = self.prefix_ids

        def force(prompt_ids: list[int], output_ids: list[int], logits: torch.Tensor) -> torch.Tensor:
            if len(output_ids) < len(prefix_ids):
                masked = torch.full_like(logits, float("-inf"))
                masked[prefix_ids[len(output_ids)]] = 0.0
                return masked
            return logits

        return force


class JsonPrefixConsumed(JsonPrefix):
    """Faulty: every request takes its tokens off one list."""

    def new_req_logits_processor(self, params):
        if not (params.extra_args or {}).get("force_json", False):
            return None
        waiting = self.prefix_ids

        def force(prompt_ids, output_ids, logits):
            if waiting:
                token = waiting.pop(0)
                logits[:] = float("-inf")
                logits[token] = 0.0
            return logits

        return force
