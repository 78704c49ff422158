"""F004 move-lost: a per-row flag is written on Add but takes no part in a Move; the row's other arrays do."""

from __future__ import annotations

import math

from request_kinds import bad_token_params
from row_processor import RowProcessor

from logitproof import MoveDirectionality


class FlagNotMoved(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.bad_tokens = [()] * self.slots
        self.is_used = [False] * self.slots

    def arrays_that_move(self):
        return (self.bad_tokens,)  # The fault: is_used is missing.

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.bad_tokens[row], self.is_used[row] = (), False
        for row, params, _prompt, _outputs in batch_update.added:
            self.bad_tokens[row] = tuple(token for word in params.bad_words for token in word)
            self.is_used[row] = bool(params.bad_words)
        for source, destination, how in batch_update.moved:
            for array in self.arrays_that_move():
                if how is MoveDirectionality.SWAP:
                    array[source], array[destination] = array[destination], array[source]
                else:
                    array[destination] = array[source]

    def apply(self, logits):
        for row in range(len(logits)):
            if self.is_used[row]:
                logits[row, list(self.bad_tokens[row])] = -math.inf
        return logits
