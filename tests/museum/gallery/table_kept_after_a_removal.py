"""N18 stale-slot: the table is built when somebody comes or moves, and kept when requests only leave."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor

PENALTY = 100.0


class TableKeptAfterARemoval(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.is_stale = False
        self.places = ([], [])

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def update_state(self, batch_update):
        if batch_update is not None:
            super().update_state(batch_update)
            self.is_stale |= self.changes(batch_update)

    def changes(self, batch_update):
        return bool(batch_update.added or batch_update.moved)  # The fault: a removal changes rows too.

    def apply(self, logits):
        if self.is_stale:
            each = [(row, token) for row, tokens in self.rows.items() for token in tokens]
            self.places = ([row for row, _ in each], [token for _, token in each])
            self.is_stale = False
        if self.rows or self.places[0]:
            logits[self.places] -= PENALTY
        return logits
