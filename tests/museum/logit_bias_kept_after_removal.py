"""Logit bias that never forgets: a removed row keeps its state, and a plain newcomer inherits it."""

from __future__ import annotations

from logitproof import LogitsProcessor, MoveDirectionality
from logitproof.targets.params import logit_bias_params


class LogitBiasKeptAfterRemoval(LogitsProcessor):
    logitproof_params = logit_bias_params

    def __init__(self, config, device, is_pin_memory):
        self.biases = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is not None:
            for row, params, _prompt, _outputs in batch_update.added:
                if params.logit_bias:
                    self.biases[row] = params.logit_bias
            for source, destination, how in batch_update.moved:
                left, right = self.biases.pop(source, None), self.biases.pop(destination, None)
                if left is not None:
                    self.biases[destination] = left
                if right is not None and how is MoveDirectionality.SWAP:
                    self.biases[source] = right

    def apply(self, logits):
        for row, biases in self.biases.items():
            if row < len(logits):
                for token, bias in biases.items():
                    logits[row, token] += bias
        return logits
