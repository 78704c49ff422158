"""Masks all tokens but one, with a dictionary kept by hand."""

import torch
from vllm.config import VllmConfig
from vllm.sampling_params import SamplingParams
from vllm.v1.sample.logits_processor import BatchUpdate, LogitsProcessor, MoveDirectionality


class TargetToken(LogitsProcessor):
    @classmethod
    def validate_params(cls, params: SamplingParams):
        target_token = params.extra_args and params.extra_args.get("target_token")
        if target_token is not None and not isinstance(target_token, int):
            raise ValueError(f"target_token {target_token} is not an int")

    def __init__(self, vllm_config: "VllmConfig", device: torch.device, is_pin_memory: bool):
        self.req_info: dict[int, int] = {}

    def is_argmax_invariant(self) -> bool:
        return False

    def update_state(self, batch_update: BatchUpdate | None):
        if not batch_update:
            return
        for index in batch_update.removed:
            self.req_info.pop(index, None)
        for index, params, _, _ in batch_update.added:
            self.req_info.pop(index, None)
            if params.extra_args and (token := params.extra_args.get("target_token")) is not None:
                self.req_info[index] = token
        for source, destination, direction in batch_update.moved:
            one, other = self.req_info.pop(source, None), self.req_info.pop(destination, None)
            if one is not None:
                self.req_info[destination] = one
            if other is not None and direction == MoveDirectionality.SWAP:
                self.req_info[source] = other

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        if not self.req_info:
            return logits
        rows = list(self.req_info)
        columns = list(self.req_info.values())
        kept = logits[rows, columns].clone()
        logits[rows] = float("-inf")
        logits[rows, columns] = kept
        return logits


class TargetTokenStale(TargetToken):
    """Faulty: a newcomer without the argument inherits the slot's token."""

    def update_state(self, batch_update):
        if not batch_update:
            return
        for index, params, _, _ in batch_update.added:
            if params.extra_args and (token := params.extra_args.get("target_token")) is not None:
                self.req_info[index] = token
        for index in batch_update.removed:
            self.req_info.pop(index, None)
        for source, destination, direction in batch_update.moved:
            one, other = self.req_info.pop(source, None), self.req_info.pop(destination, None)
            if one is not None:
                self.req_info[destination] = one
            if other is not None and direction == MoveDirectionality.SWAP:
                self.req_info[source] = other
