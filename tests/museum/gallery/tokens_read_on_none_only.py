"""N22 history-view: new tokens are read in steps with an update of None, and missed while requests come and go."""

from __future__ import annotations

from request_kinds import frequency_params
from row_processor import RowProcessor, follow


class TokensReadOnNoneOnly(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        penalty = params.frequency_penalty
        return {"penalty": penalty, "live": outputs, "seen": list(outputs)} if penalty else None

    def update_state(self, batch_update):
        follow(self.rows, batch_update, self.enter)
        if self.is_due(batch_update):
            for state in self.rows.values():
                state["seen"] = list(state["live"])

    def is_due(self, batch_update):
        return batch_update is None  # The fault: tokens come in every step.

    def treat(self, logits_row, state):
        for token in state["seen"]:
            logits_row[token] -= state["penalty"]
