"""F034 row-map: min-p's state has as many rows as there are requests, while logits may be padded to a bucket size."""

from __future__ import annotations

import math

import torch
from request_kinds import min_p_params
from row_processor import RowProcessor


class StateNotPaddedToTheBucket(RowProcessor):
    logitproof_params = min_p_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.size = 0

    def is_argmax_invariant(self):
        return True

    def enter(self, params, prompt, outputs):
        return params.min_p or None

    def update_state(self, batch_update):
        super().update_state(batch_update)
        if batch_update is not None:
            self.size = batch_update.batch_size

    def rows_of_state(self, logits):
        return self.size  # The fault: the logits may have more rows.

    def apply(self, logits):
        min_p = torch.tensor(
            [self.rows.get(row, 0.0) for row in range(self.rows_of_state(logits))]
        ).unsqueeze(1)
        cutoff = logits.amax(dim=1, keepdim=True) + min_p.log().to(logits.dtype)
        return logits.masked_fill_(logits < cutoff, -math.inf)
