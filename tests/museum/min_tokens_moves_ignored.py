"""Min-tokens that handles removed and added and never reads moved: state stays behind when a request moves."""

from __future__ import annotations

import math

from logitproof import LogitsProcessor
from logitproof.targets.params import min_tokens_params


class MinTokensMovesIgnored(LogitsProcessor):
    logitproof_params = min_tokens_params

    def __init__(self, config, device, is_pin_memory):
        self.waiting = {}
        self.banned = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is not None:
            for row in batch_update.removed:
                self.waiting.pop(row, None)
            for row, params, _prompt, outputs in batch_update.added:
                self.waiting.pop(row, None)
                if len(outputs) < params.min_tokens:
                    self.waiting[row] = (params, outputs)
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
