"""Ends thoughts that are too long, with the token ids of one tokenizer."""

import torch
from vllm.config import VllmConfig
from vllm.sampling_params import SamplingParams
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor

THINK_START_TOKEN_ID = 700
THINK_END_TOKEN_ID = 701


class EndThoughts(AdapterLogitsProcessor):
    def __init__(self, vllm_config: VllmConfig, device: torch.device, is_pin_memory: bool):
        super().__init__(vllm_config, device, is_pin_memory)

    @classmethod
    def validate_params(cls, params: SamplingParams):
        budget = (params.extra_args or {}).get("thinking_budget")
        if budget is not None and (not isinstance(budget, int) or budget < 0):
            raise ValueError("thinking_budget must be a non-negative integer")

    def is_argmax_invariant(self):
        return False

    def new_req_logits_processor(self, params: SamplingParams):
        budget = (params.extra_args or {}).get("thinking_budget")
        if budget is None:
            return None

        def process(output_ids: list[int], logits: torch.Tensor) -> torch.Tensor:
            if THINK_START_TOKEN_ID not in output_ids or THINK_END_TOKEN_ID in output_ids:
                return logits
            start = output_ids.index(THINK_START_TOKEN_ID)
            if len(output_ids) - start > budget:
                logits[:] = float("-inf")
                logits[THINK_END_TOKEN_ID] = 0.0
            return logits

        return process


class EndThoughtsCounting(EndThoughts):
    """Faulty: counts its own calls, which are not the tokens that came out."""

    def new_req_logits_processor(self, params):
        budget = (params.extra_args or {}).get("thinking_budget")
        if budget is None:
            return None
        calls = [0]

        def process(output_ids, logits):
            if THINK_START_TOKEN_ID in output_ids and THINK_END_TOKEN_ID not in output_ids:
                calls[0] += 1
                if calls[0] > budget:
                    logits[:] = float("-inf")
                    logits[THINK_END_TOKEN_ID] = 0.0
            return logits

        return process
