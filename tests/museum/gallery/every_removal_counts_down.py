"""N16 flag-drift: the counter of users falls with every request that is removed, whether it was one or not."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor, ban


class EveryRemovalCountsDown(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.users = 0

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def update_state(self, batch_update):
        if batch_update is not None:
            self.users -= sum(self.was_one(row) for row in batch_update.removed)
            super().update_state(batch_update)
            self.users = max(self.users, 0) + sum(
                bool(params.bad_words) for _, params, _, _ in batch_update.added
            )

    def was_one(self, row):
        return True  # The fault: plain requests were never counted.

    def apply(self, logits):
        return super().apply(logits) if self.users else logits

    def treat(self, logits_row, tokens):
        ban(logits_row, tokens)
