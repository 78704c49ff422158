"""Min-tokens that never forgets: a removed row keeps its state, and a plain newcomer inherits it."""

from __future__ import annotations

import math

from logitproof import LogitsProcessor, MoveDirectionality
from logitproof.targets.params import min_tokens_params


class MinTokensKeptAfterRemoval(LogitsProcessor):
    logitproof_params = min_tokens_params

    def __init__(self, config, device, is_pin_memory):
        self.waiting = {}
        self.banned = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is not None:
            for row, params, _prompt, outputs in batch_update.added:
                if len(outputs) < params.min_tokens:
                    self.waiting[row] = (params, outputs)
            for source, destination, how in batch_update.moved:
                left, right = self.waiting.pop(source, None), self.waiting.pop(destination, None)
                if left is not None:
                    self.waiting[destination] = left
                if right is not None and how is MoveDirectionality.SWAP:
                    self.waiting[source] = right
        self.banned = {
            row: sorted(params.all_stop_token_ids)
            for row, (params, outputs) in self.waiting.items()
            if len(outputs) < params.min_tokens
        }

    def apply(self, logits):
        for row, stop_token_ids in self.banned.items():
            if row < len(logits):
                logits[row, stop_token_ids] = -math.inf
        return logits
