"""N2 leak: a list of plain numbers gets one more for every request that ever came."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor, ban


class LengthsOfEverybody(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.lengths = []  # The fault: a statistic needs a bound.

    def enter(self, params, prompt, outputs):
        self.lengths.append(len(outputs))
        return [token for word in params.bad_words for token in word] or None

    def treat(self, logits_row, tokens):
        ban(logits_row, tokens)
