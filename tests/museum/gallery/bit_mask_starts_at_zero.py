"""F027 mixed-default: the batch's bit mask starts as zeros, which forbid, and only constrained rows are filled in."""

from __future__ import annotations

import math

import torch
from request_kinds import allowed_params
from row_processor import RowProcessor


class BitMaskStartsAtZero(RowProcessor):
    logitproof_params = allowed_params
    nothing_said = 0  # The fault: the neutral word has all bits set, -1.

    def enter(self, params, prompt, outputs):
        return params.allowed_token_ids

    def apply(self, logits):
        if not self.rows:
            return logits
        words = torch.full((len(logits), (self.vocab + 31) // 32), self.nothing_said, dtype=torch.int64)
        for row, allowed in self.rows.items():
            words[row] = 0
            for token in allowed:
                words[row, token // 32] |= 1 << token % 32
        tokens = torch.arange(self.vocab)
        bits = words[:, tokens // 32] >> tokens % 32 & 1
        return logits.masked_fill_(bits == 0, -math.inf)
