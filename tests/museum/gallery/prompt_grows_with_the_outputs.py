"""N25 shared-state: the history of a request is its prompt list, to which its outputs are added in place."""

from __future__ import annotations

from request_kinds import frequency_params
from row_processor import RowProcessor, follow


class PromptGrowsWithTheOutputs(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        if not params.frequency_penalty:
            return None
        history = self.history(prompt if prompt is not None else [])
        return {"penalty": params.frequency_penalty, "history": history, "live": outputs, "seen": 0}

    def history(self, prompt):
        return prompt  # The fault: it belongs to the engine, and requests may share it.

    def update_state(self, batch_update):
        follow(self.rows, batch_update, self.enter)
        for state in self.rows.values():
            state["history"] += state["live"][state["seen"] :]
            state["seen"] = len(state["live"])

    def treat(self, logits_row, state):
        for token in state["history"]:
            logits_row[token] -= state["penalty"]
