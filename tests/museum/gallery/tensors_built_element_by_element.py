"""F132 perf-sync: a tensor is built element by element on the device in every step, one hidden sync each."""

from __future__ import annotations

import torch
from request_kinds import frequency_params
from row_processor import RowProcessor


class TensorsBuiltElementByElement(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        return params.frequency_penalty, outputs

    def apply(self, logits):
        if not any(penalty for penalty, _ in self.rows.values()):
            return logits
        counts = torch.zeros_like(logits)
        for row, (_penalty, outputs) in self.rows.items():
            for token in outputs:
                counts[row, token] += 1
        penalties = torch.zeros(len(logits), 1, dtype=logits.dtype)
        for row, (penalty, _outputs) in self.rows.items():
            penalties[row, 0] = penalty
        return logits.sub_(penalties * counts)
