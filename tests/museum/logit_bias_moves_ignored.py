"""Logit bias that handles removed and added and never reads moved: state stays behind when a request moves."""

from __future__ import annotations

from logitproof import LogitsProcessor
from logitproof.targets.params import logit_bias_params


class LogitBiasMovesIgnored(LogitsProcessor):
    logitproof_params = logit_bias_params

    def __init__(self, config, device, is_pin_memory):
        self.biases = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is not None:
            for row in batch_update.removed:
                self.biases.pop(row, None)
            for row, params, _prompt, _outputs in batch_update.added:
                self.biases.pop(row, None)
                if params.logit_bias:
                    self.biases[row] = params.logit_bias

    def apply(self, logits):
        for row, biases in self.biases.items():
            if row < len(logits):
                for token, bias in biases.items():
                    logits[row, token] += bias
        return logits
