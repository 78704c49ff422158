"""F134 perf-sync: a bias as wide as the vocabulary is stacked and uploaded in every step, though it never changes."""

from __future__ import annotations

import torch
from row_processor import RowProcessor

from logitproof.targets.params import logit_bias_params


class DenseBiasStackedEveryStep(RowProcessor):
    logitproof_params = logit_bias_params

    def enter(self, params, prompt, outputs):
        if not params.logit_bias:
            return None
        dense = torch.zeros(self.vocab)
        for token, bias in params.logit_bias.items():
            dense[token] = bias
        return dense

    def apply(self, logits):
        if not self.rows:
            return logits
        neutral = torch.zeros(self.vocab)
        stacked = torch.stack([self.rows.get(row, neutral) for row in range(len(logits))])
        return logits.add_(stacked.to(logits.dtype))
