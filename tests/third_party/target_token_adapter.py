"""Masks all tokens but one, as a per-request callable."""

from typing import Any

import torch
from vllm import SamplingParams
from vllm.config import VllmConfig
from vllm.logger import init_logger
from vllm.v1.sample.logits_processor import AdapterLogitsProcessor, RequestLogitsProcessor

logger = init_logger(__name__)


class KeepOne:
    def __init__(self, target_token: int) -> None:
        self.target_token = target_token

    def __call__(self, output_ids: list[int], logits: torch.Tensor) -> torch.Tensor:
        kept = logits[self.target_token].item()
        logits[:] = float("-inf")
        logits[self.target_token] = kept
        return logits


class WrappedKeepOne(AdapterLogitsProcessor):
    def __init__(self, vllm_config: VllmConfig, device: torch.device, is_pin_memory: bool):
        super().__init__(vllm_config, device, is_pin_memory)
        self.device_type = device.type

    def is_argmax_invariant(self) -> bool:
        return False

    def new_req_logits_processor(self, params: SamplingParams) -> RequestLogitsProcessor | None:
        target_token: Any | None = params.extra_args and params.extra_args.get("target_token")
        if target_token is None:
            return None
        if not isinstance(target_token, int):
            logger.warning("target_token %s is not an int", target_token)
            return None
        return KeepOne(target_token)


class SharedKeepOne(WrappedKeepOne):
    """Faulty: one callable for all requests, which keeps the token of the last."""

    shared: KeepOne

    def __init__(self, vllm_config, device, is_pin_memory):
        super().__init__(vllm_config, device, is_pin_memory)
        self.shared = KeepOne(0)

    def new_req_logits_processor(self, params):
        if super().new_req_logits_processor(params) is None:
            return None
        self.shared.target_token = params.extra_args["target_token"]
        return self.shared
