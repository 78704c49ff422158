"""F129 perf-sync: every Add makes the tensors be built again, though no row of the update uses the feature."""

from __future__ import annotations

import torch
from row_processor import RowProcessor

from logitproof.targets.params import logit_bias_params


class TensorsRebuiltOnEveryAdd(RowProcessor):
    logitproof_params = logit_bias_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.build()

    def enter(self, params, prompt, outputs):
        return params.logit_bias

    def build(self):
        cells = [(row, token, bias) for row, biases in self.rows.items() for token, bias in biases.items()]
        self.cells = torch.tensor([cell[:2] for cell in cells], dtype=torch.int64).reshape(-1, 2)
        self.bias = torch.tensor([bias for *_, bias in cells])

    def update_state(self, batch_update):
        before = dict(self.rows)
        super().update_state(batch_update)
        if self.rows != before or self.has_adds(batch_update):
            self.build()

    def has_adds(self, batch_update):
        return batch_update is not None and bool(batch_update.added)  # The fault: this is no reason to build.

    def apply(self, logits):
        if self.rows:
            logits.index_put_(tuple(self.cells.T), self.bias.to(logits.dtype), accumulate=True)
        return logits
