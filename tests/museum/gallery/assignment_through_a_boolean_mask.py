"""F131 perf-sync: assigning through a boolean mask counts its true entries, so the host waits for the device."""

from __future__ import annotations

import torch
from request_kinds import bad_token_params
from row_processor import RowProcessor


class AssignmentThroughABooleanMask(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.banned = torch.zeros(self.slots, self.vocab, dtype=torch.bool)

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def update_state(self, batch_update):
        super().update_state(batch_update)
        if batch_update is not None:
            self.banned.zero_()
            for row, tokens in self.rows.items():
                self.banned[row, tokens] = True

    def apply(self, logits):
        if self.rows:
            self.assign(logits, self.banned[: len(logits)])
        return logits

    def assign(self, logits, banned):
        logits[banned] = logits[banned] - 100.0  # The fault: the shape of logits[banned] depends on data.
