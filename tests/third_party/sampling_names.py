"""Keys of `extra_args` with the names of the engine's own fields, for a stop that is forced."""

import torch
from vllm import SamplingParams
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor


class StopBelow:
    def __init__(self, eos_token_id: int, top_k: int) -> None:
        self.eos_token_id = eos_token_id
        self.top_k = top_k

    def __call__(self, output_ids: list[int], logits: torch.Tensor) -> torch.Tensor:
        if len(output_ids) % self.top_k == self.top_k - 1:
            logits[:] = float("-inf")
            logits[self.eos_token_id] = 0.0
        return logits


class StopNames(AdapterLogitsProcessor):
    @classmethod
    def validate_params(cls, params: SamplingParams):
        top_k = (params.extra_args or {}).get("top_k")
        if top_k is not None and not 8 <= top_k <= 12:
            raise ValueError(f"top_k must lie between 8 and 12, got {top_k}")

    def is_argmax_invariant(self) -> bool:
        return False

    def new_req_logits_processor(self, params: SamplingParams):
        extra = params.extra_args or {}
        eos_token_id, top_k = extra.get("eos_token_id"), extra.get("top_k")
        if eos_token_id is None or top_k is None:
            return None
        return StopBelow(eos_token_id, top_k)


class StopNamesShared(StopNames):
    """Faulty: one function for all requests, made for the last that came."""

    def new_req_logits_processor(self, params):
        made = super().new_req_logits_processor(params)
        if made is None:
            return None
        self.made = made
        return self.latest

    def latest(self, output_ids, logits):
        return self.made(output_ids, logits)
