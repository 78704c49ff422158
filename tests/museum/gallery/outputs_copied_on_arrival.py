"""N21 history-view: the output list is copied when the request is added, and the copy does not grow."""

from __future__ import annotations

from request_kinds import frequency_params
from row_processor import RowProcessor


class OutputsCopiedOnArrival(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        penalty = params.frequency_penalty
        return (penalty, self.history(outputs)) if penalty else None

    def history(self, outputs):
        return list(outputs)  # The fault: the engine appends to the list that it gave.

    def treat(self, logits_row, state):
        penalty, outputs = state
        for token in outputs:
            logits_row[token] -= penalty
