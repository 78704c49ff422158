"""F146 silent-drop: sampling parameters reach the decode calls only, so a prefill's token is always the argmax."""

from __future__ import annotations

import math

from row_processor import RowProcessor

from logitproof.targets.params import logit_bias_params


class FirstTokenIsAlwaysGreedy(RowProcessor):
    logitproof_params = logit_bias_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.prefilled = []

    def enter(self, params, prompt, outputs):
        state = {"bias": params.logit_bias or {}}
        self.prefilled.append(state)
        return state

    def update_state(self, batch_update):
        self.prefilled = []
        super().update_state(batch_update)

    def treat(self, logits_row, state):
        if self.is_greedy(state):
            best = logits_row.argmax()
            highest = logits_row[best].clone()
            logits_row.fill_(-math.inf)
            logits_row[best] = highest
            return
        for token, bias in state["bias"].items():
            logits_row[token] += bias

    def is_greedy(self, state):
        return any(state is each for each in self.prefilled)  # The fault: nobody has asked for it.
