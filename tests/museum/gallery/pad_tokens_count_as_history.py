"""F119 semantics: histories are padded to the longest of the batch, and the pad token counts as if it had been said."""

from __future__ import annotations

import torch
from request_kinds import frequency_params
from row_processor import RowProcessor

PAD = 0


class PadTokensCountAsHistory(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        return (params.frequency_penalty, outputs)

    def apply(self, logits):
        longest = max((len(outputs) for _, outputs in self.rows.values()), default=0)
        for row, (penalty, outputs) in self.rows.items():
            padded = [*outputs, *[PAD] * (longest - len(outputs))]
            counts = torch.bincount(torch.tensor(padded, dtype=torch.int64), minlength=self.vocab)
            logits[row] -= penalty * counts
        return logits
