"""F014 flag-drift: the penalty tensor is as long as the subset of requests that use it, but is read by batch row."""

from __future__ import annotations

from collections import Counter

import torch
from request_kinds import frequency_params
from row_processor import RowProcessor


class PenaltiesAsLongAsTheirUsers(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        return (params.frequency_penalty, outputs) if params.frequency_penalty else None

    def apply(self, logits):
        penalties = torch.tensor([self.rows[row][0] for row in sorted(self.rows)])
        for row, (_penalty, outputs) in self.rows.items():
            for token, count in Counter(outputs).items():
                logits[row, token] -= float(penalties[row]) * count
        return logits
