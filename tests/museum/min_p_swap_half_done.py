"""Min-p that reads a swap as a one-way move: the request at the destination loses its state."""

from __future__ import annotations

import math

from logitproof import LogitsProcessor
from logitproof.targets.params import min_p_params


class MinPSwapHalfDone(LogitsProcessor):
    logitproof_params = min_p_params

    def __init__(self, config, device, is_pin_memory):
        self.min_p = {}

    def is_argmax_invariant(self):
        return True

    def update_state(self, batch_update):
        if batch_update is not None:
            for row in batch_update.removed:
                self.min_p.pop(row, None)
            for row, params, _prompt, _outputs in batch_update.added:
                self.min_p.pop(row, None)
                if params.min_p > 0:
                    self.min_p[row] = params.min_p
            for source, destination, _how in batch_update.moved:
                left = self.min_p.pop(source, None)
                self.min_p.pop(destination, None)
                if left is not None:
                    self.min_p[destination] = left

    def apply(self, logits):
        for row, min_p in self.min_p.items():
            if row < len(logits):
                cutoff = logits[row].max() + math.log(min_p)
                logits[row] = logits[row].masked_fill(logits[row] < cutoff, -math.inf)
        return logits
