"""Min-p that never forgets: a removed row keeps its state, and a plain newcomer inherits it."""

from __future__ import annotations

import math

from logitproof import LogitsProcessor, MoveDirectionality
from logitproof.targets.params import min_p_params


class MinPKeptAfterRemoval(LogitsProcessor):
    logitproof_params = min_p_params

    def __init__(self, config, device, is_pin_memory):
        self.min_p = {}

    def is_argmax_invariant(self):
        return True

    def update_state(self, batch_update):
        if batch_update is not None:
            for row, params, _prompt, _outputs in batch_update.added:
                if params.min_p > 0:
                    self.min_p[row] = params.min_p
            for source, destination, how in batch_update.moved:
                left, right = self.min_p.pop(source, None), self.min_p.pop(destination, None)
                if left is not None:
                    self.min_p[destination] = left
                if right is not None and how is MoveDirectionality.SWAP:
                    self.min_p[source] = right

    def apply(self, logits):
        for row, min_p in self.min_p.items():
            if row < len(logits):
                cutoff = logits[row].max() + math.log(min_p)
                logits[row] = logits[row].masked_fill(logits[row] < cutoff, -math.inf)
        return logits
