"""N12 shared-state: the dictionary of rows is an attribute of the class, so all instances in a process share it."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor, ban

ROWS: dict[int, list[int]] = {}


class RowsBelongToTheClass(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.rows = self.own_rows()

    def own_rows(self):
        return ROWS  # The fault: one for everybody.

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def treat(self, logits_row, tokens):
        ban(logits_row, tokens)
