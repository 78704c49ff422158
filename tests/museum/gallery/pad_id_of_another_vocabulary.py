"""F109 id-range: histories are padded with the vocabulary size of another stage, which is no column of these logits."""

from __future__ import annotations

import torch
from request_kinds import frequency_params
from row_processor import RowProcessor

FIRST_STAGE = 40


class PadIdOfAnotherVocabulary(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        return (params.frequency_penalty, outputs)

    def pad_id(self):
        return FIRST_STAGE  # The fault: the column past these logits is self.vocab.

    def apply(self, logits):
        longest = max((len(outputs) for _, outputs in self.rows.values()), default=0)
        for row, (penalty, outputs) in self.rows.items():
            padded = torch.tensor([*outputs, *[self.pad_id()] * (longest - len(outputs))], dtype=torch.int64)
            counts = torch.zeros(self.vocab + 1)
            counts.scatter_add_(0, padded, torch.ones(len(padded)))
            logits[row] -= (penalty * counts[:-1]).to(logits.dtype)
        return logits
