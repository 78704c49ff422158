"""Twin of F011 flag-drift, without the fault: what a row held before decides how the counter changes."""

from __future__ import annotations

import torch

from logitproof import LogitsProcessor, MoveDirectionality
from logitproof.targets.params import min_p_params


class TwinOfMinPCounterDrifts(LogitsProcessor):
    logitproof_params = min_p_params

    def __init__(self, config, device, is_pin_memory):
        self.min_p = torch.zeros(config.scheduler_config.max_num_seqs)
        self.active = 0

    def is_argmax_invariant(self):
        return True

    def put(self, row, min_p):
        self.active += bool(min_p) - bool(self.min_p[row])
        self.min_p[row] = min_p

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.put(row, 0.0)
        for row, params, _prompt, _outputs in batch_update.added:
            self.put(row, params.min_p)
        for source, destination, how in batch_update.moved:
            left, right = float(self.min_p[source]), float(self.min_p[destination])
            self.put(destination, left)
            self.put(source, right if how is MoveDirectionality.SWAP else 0.0)

    def apply(self, logits):
        if self.active == 0:
            return logits
        min_p = self.min_p[: len(logits)].unsqueeze(1)
        cutoff = logits.amax(dim=1, keepdim=True) + min_p.log()
        return logits.masked_fill_(logits < cutoff, float("-inf"))
