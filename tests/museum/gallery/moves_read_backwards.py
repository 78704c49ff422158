"""N11 move-lost: the moves of an update are taken from the last to the first."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor, ban, follow

from logitproof import BatchUpdate


class MovesReadBackwards(RowProcessor):
    logitproof_params = bad_token_params

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def update_state(self, batch_update):
        if batch_update is not None:
            size, removed, added, moved = (
                batch_update.batch_size, batch_update.removed, batch_update.added, batch_update.moved
            )  # fmt: skip
            follow(self.rows, BatchUpdate(size, removed, added, self.in_turn(moved)), self.enter)

    def in_turn(self, moved):
        return moved[::-1]  # The fault: each holds for the batch that the one before it has left.

    def treat(self, logits_row, tokens):
        ban(logits_row, tokens)
