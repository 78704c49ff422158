"""Min-p whose counter of active rows is not adjusted when an Add replaces a live request (faults.md F011)."""

from __future__ import annotations

import torch

from logitproof import LogitsProcessor, MoveDirectionality
from logitproof.targets.params import min_p_params


class MinPCounterDrifts(LogitsProcessor):
    logitproof_params = min_p_params

    def __init__(self, config, device, is_pin_memory):
        self.min_p = torch.zeros(config.scheduler_config.max_num_seqs)
        self.active = 0

    def is_argmax_invariant(self):
        return True

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.active -= bool(self.min_p[row])
            self.min_p[row] = 0
        for row, params, _prompt, _outputs in batch_update.added:
            # The fault: what the row held before is not looked at. Right: active -= bool(self.min_p[row]) first.
            self.active += 1 if params.min_p else -1
            self.active = max(self.active, 0)
            self.min_p[row] = params.min_p
        for source, destination, how in batch_update.moved:
            left, right = float(self.min_p[source]), float(self.min_p[destination])
            self.min_p[destination] = left
            if how is MoveDirectionality.SWAP:
                self.min_p[source] = right
            else:
                self.active -= bool(right)
                self.min_p[source] = 0

    def apply(self, logits):
        if self.active <= 0:
            return logits
        min_p = self.min_p[: len(logits)].unsqueeze(1)
        cutoff = logits.amax(dim=1, keepdim=True) + min_p.log()
        return logits.masked_fill_(logits < cutoff, float("-inf"))
