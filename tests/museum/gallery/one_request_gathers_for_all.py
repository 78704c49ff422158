"""F031 mixed-default: one request asks for certain tokens, and the gather replaces the whole batch's result."""

from __future__ import annotations

import math

import torch
from request_kinds import allowed_params
from row_processor import RowProcessor


class OneRequestGathersForAll(RowProcessor):
    logitproof_params = allowed_params

    def enter(self, params, prompt, outputs):
        return params.allowed_token_ids

    def apply(self, logits):
        if not self.rows:
            return logits
        gathered = torch.full_like(logits, -math.inf)
        for row, token_ids in self.rows.items():
            gathered[row, list(token_ids)] = logits[row, list(token_ids)]
        return self.merge(logits, gathered)

    def merge(self, logits, gathered):
        return gathered  # The fault: only the rows that asked are to be replaced.
