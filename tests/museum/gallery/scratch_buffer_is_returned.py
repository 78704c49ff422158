"""N3 buffer-race: what apply returned in one step is overwritten in the next, while it may still be read."""

from __future__ import annotations

import torch
from request_kinds import frequency_params
from row_processor import RowProcessor


class ScratchBufferIsReturned(RowProcessor):
    logitproof_params = frequency_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.scratch = torch.zeros(self.slots, self.vocab)

    def enter(self, params, prompt, outputs):
        return (params.frequency_penalty, outputs) if params.frequency_penalty else None

    def apply(self, logits):
        if not self.rows:
            return logits
        result = self.result(logits)
        for row, (penalty, outputs) in self.rows.items():
            for token in outputs:
                result[row, token] -= penalty
        return result

    def result(self, logits):
        return self.scratch[: len(logits)].copy_(logits)  # The fault: one buffer for all steps.
