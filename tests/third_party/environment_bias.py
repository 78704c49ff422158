"""A bias for every request, set up by the environment of the server."""

import os

import torch
from vllm.v1.sample.logits_processor import LogitsProcessor

BIAS = float(os.environ.get("EOS_BIAS", "-3.0"))
EOS_TOKEN_ID = int(os.getenv("EOS_TOKEN_ID", "2"))


class EosBias(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.size = 0

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is not None:
            self.size = batch_update.batch_size

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        logits[:, EOS_TOKEN_ID] += BIAS
        return logits


class EosBiasOnce(EosBias):
    """Faulty: only the rows that were there before the last change get it."""

    def update_state(self, batch_update):
        if batch_update is not None:
            self.size = batch_update.batch_size - len(batch_update.added)

    def apply(self, logits):
        logits[: self.size, EOS_TOKEN_ID] += BIAS
        return logits
