"""N30 move-lost: all moves of a step are read from the rows as they were before the first of them."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor, ban, follow

from logitproof import BatchUpdate, MoveDirectionality


class MovesReadFromASnapshot(RowProcessor):
    logitproof_params = bad_token_params

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def update_state(self, batch_update):
        if batch_update is None:
            return
        size, removed, added = batch_update.batch_size, batch_update.removed, batch_update.added
        follow(self.rows, BatchUpdate(size, removed, added, []), self.enter)
        before = self.rows.copy()
        for source, to, how in batch_update.moved:
            before = self.as_it_is(before)
            left, right = before.get(source), before.get(to)
            self.put(to, left)
            self.put(source, right if how is MoveDirectionality.SWAP else None)

    def as_it_is(self, before):
        return before  # The fault: each move holds for what the one before it has left.

    def put(self, row, state):
        self.rows.pop(row, None)
        if state is not None:
            self.rows[row] = state

    def treat(self, logits_row, tokens):
        ban(logits_row, tokens)
