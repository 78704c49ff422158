"""N13 shared-state: a bias is kept by the prompt, so equal prompts get the bias of the one that came first."""

from __future__ import annotations

import torch
from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor


class BiasCachedByThePrompt(RowProcessor):
    def logitproof_params(vocab_size):
        return extra(boost=st.sampled_from((0.5, 1.0, -1.0)))

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.biases = {}

    def enter(self, params, prompt, outputs):
        boost = (params.extra_args or {}).get("boost")
        if boost is None:
            return None
        key = self.key(prompt, boost)
        if key not in self.biases:
            self.biases[key] = torch.arange(self.vocab) % 2 * boost
        return key

    def key(self, prompt, boost):
        return tuple(prompt or ())  # The fault: it does not say what the bias is made of.

    def treat(self, logits_row, key):
        logits_row += self.biases[key]
