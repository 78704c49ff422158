"""N15 shared-state: every row starts as one default tensor, which is written to in place."""

from __future__ import annotations

import torch
from request_kinds import bad_token_params
from row_processor import RowProcessor, ban


class DefaultRowWrittenTo(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.nothing = torch.zeros(self.vocab, dtype=torch.bool)

    def enter(self, params, prompt, outputs):
        if not params.bad_words:
            return None
        mask = self.empty_mask()
        mask[[token for word in params.bad_words for token in word]] = True
        return mask

    def empty_mask(self):
        return self.nothing  # The fault: all requests write into it.

    def treat(self, logits_row, mask):
        ban(logits_row, mask)
