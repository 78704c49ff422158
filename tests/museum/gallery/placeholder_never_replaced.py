"""F054 history-view: the newest token is copied into the penalty's history as a placeholder and stays one."""

from __future__ import annotations

from collections import Counter

from request_kinds import frequency_params
from row_processor import RowProcessor


class PlaceholderNeverReplaced(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        return {"penalty": params.frequency_penalty, "outputs": outputs, "history": []}

    def advance(self, state):
        state["history"] += state["outputs"][len(state["history"]) :]

    def treat(self, logits_row, state):
        for token, count in Counter(state["history"]).items():
            if token >= 0:
                logits_row[token] -= state["penalty"] * count
