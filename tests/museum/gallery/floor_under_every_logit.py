"""N6 nonfinite: logits are clamped from below, and what an earlier processor banned can be sampled again."""

from __future__ import annotations

from request_kinds import frequency_params
from row_processor import RowProcessor


class FloorUnderEveryLogit(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        return params.frequency_penalty or None

    def treat(self, logits_row, penalty):
        logits_row -= penalty
        self.floor(logits_row)

    def floor(self, logits_row):
        logits_row.clamp_(min=-50.0)  # The fault: -inf is no small number.
