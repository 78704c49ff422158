"""A temperature of its own, as one vector over the batch."""

import torch
from vllm.v1.sample.logits_processor import BatchUpdate, LogitsProcessor, MoveDirectionality


class ScaleLogits(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.scale = torch.ones(vllm_config.scheduler_config.max_num_seqs, device=device)

    def is_argmax_invariant(self):
        return True

    @classmethod
    def validate_params(cls, params):
        scale = (params.extra_args or {}).get("logit_scale")
        if scale is not None and not float(scale) > 0:
            raise ValueError("logit_scale must be positive")

    def update_state(self, batch_update: BatchUpdate | None):
        if batch_update is None:
            return
        for index in batch_update.removed:
            self.scale[index] = 1.0
        for index, params, _, _ in batch_update.added:
            self.scale[index] = float((params.extra_args or {}).get("logit_scale", 1.0))
        for a, b, direction in batch_update.moved:
            self._move(a, b, direction)

    def _move(self, a, b, direction):
        first, second = self.scale[a].item(), self.scale[b].item()
        self.scale[b] = first
        self.scale[a] = second if direction == MoveDirectionality.SWAP else 1.0

    def apply(self, logits):
        scale = self.scale[: logits.shape[0]]
        if bool((scale == 1.0).all()):
            return logits
        return logits * scale.unsqueeze(1)


class ScaleLogitsOneWay(ScaleLogits):
    """Faulty: takes every move for a one-way move."""

    def _move(self, a, b, direction):
        self.scale[b] = self.scale[a].item()
        self.scale[a] = 1.0
