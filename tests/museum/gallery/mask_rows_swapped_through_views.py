"""F001 alias-view: two mask rows are exchanged through views, and both end up with one request's whitelist."""

from __future__ import annotations

import math

import torch
from request_kinds import allowed_params
from row_processor import RowProcessor

from logitproof import MoveDirectionality


class MaskRowsSwappedThroughViews(RowProcessor):
    logitproof_params = allowed_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.banned = torch.zeros(self.slots, self.vocab, dtype=torch.bool)

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.banned[row] = False
        for row, params, _prompt, _outputs in batch_update.added:
            self.banned[row] = params.allowed_token_ids is not None
            self.banned[row, list(params.allowed_token_ids or ())] = False
        for source, destination, how in batch_update.moved:
            if how is MoveDirectionality.SWAP:
                self.swap(source, destination)
            else:
                self.banned[destination] = self.banned[source]
                self.banned[source] = False

    def swap(self, left, right):
        # The fault: the right side holds views, so row `left` is overwritten before it is read for row `right`.
        self.banned[left], self.banned[right] = self.banned[right], self.banned[left]

    def apply(self, logits):
        return logits.masked_fill_(self.banned[: len(logits)], -math.inf)
