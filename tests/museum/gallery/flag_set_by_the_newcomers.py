"""N7 flag-drift: whether anybody uses the feature is decided by those who have just come."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor, ban


class FlagSetByTheNewcomers(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.any = False

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def update_state(self, batch_update):
        super().update_state(batch_update)
        if batch_update is not None and batch_update.added:
            self.any = self.is_used(batch_update)

    def is_used(self, batch_update):
        return any(
            params.bad_words for _, params, _, _ in batch_update.added
        )  # The fault: others were there before.

    def treat(self, logits_row, tokens):
        ban(logits_row, tokens)

    def apply(self, logits):
        return super().apply(logits) if self.any else logits
