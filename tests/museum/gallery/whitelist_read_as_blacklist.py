"""F029 mixed-default: the mask marks allowed tokens, and the operation that reads it bans the marked ones."""

from __future__ import annotations

import math

import torch
from request_kinds import allowed_params
from row_processor import RowProcessor


class WhitelistReadAsBlacklist(RowProcessor):
    logitproof_params = allowed_params

    def enter(self, params, prompt, outputs):
        return params.allowed_token_ids

    def apply(self, logits):
        mask = torch.zeros(logits.shape, dtype=torch.bool)
        for row, allowed in self.rows.items():
            mask[row, list(allowed)] = True
        return logits.masked_fill_(mask, -math.inf)
