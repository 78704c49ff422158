"""N8 alias-view: a swap keeps the left row in a temporary that is a view of it."""

from __future__ import annotations

import torch
from request_kinds import bad_token_params
from row_processor import RowProcessor, ban

from logitproof import MoveDirectionality


class SwapThroughOneTemporaryRow(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.banned = torch.zeros(self.slots, self.vocab, dtype=torch.bool)

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.banned[row] = False
        for row, params, _prompt, _outputs in batch_update.added:
            self.banned[row] = False
            for word in params.bad_words:
                self.banned[row, list(word)] = True
        for left, right, how in batch_update.moved:
            if how is MoveDirectionality.SWAP:
                kept = self.kept(left)
                self.banned[left] = self.banned[right]
                self.banned[right] = kept
            else:
                self.banned[right] = self.banned[left]
                self.banned[left] = False

    def kept(self, row):
        return self.banned[row]  # The fault: a view changes along.

    def apply(self, logits):
        return ban(logits, self.banned[: len(logits)]) if self.banned.any() else logits
