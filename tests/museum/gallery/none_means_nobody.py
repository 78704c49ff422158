"""N20 dispatch: an update of None is taken to say that nobody uses the processor."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor, ban


class NoneMeansNobody(RowProcessor):
    logitproof_params = bad_token_params
    is_off = False

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def update_state(self, batch_update):
        self.is_off = self.says_nobody(batch_update)
        super().update_state(batch_update)

    def says_nobody(self, batch_update):
        return batch_update is None  # The fault: it says that nothing has changed.

    def apply(self, logits):
        return logits if self.is_off else super().apply(logits)

    def treat(self, logits_row, tokens):
        ban(logits_row, tokens)
