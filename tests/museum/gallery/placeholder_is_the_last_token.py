"""N9 history-view: the newest token is used as a column, and a placeholder of -1 is the last one."""

from __future__ import annotations

from request_kinds import frequency_params
from row_processor import RowProcessor


class PlaceholderIsTheLastToken(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        return (params.frequency_penalty, outputs) if params.frequency_penalty else None

    def treat(self, logits_row, state):
        penalty, outputs = state
        for token in {*self.said(outputs)}:
            logits_row[token] -= penalty

    def said(self, outputs):
        return outputs  # The fault: not all of them are tokens.
