"""N26 semantics: the tokens of a request are kept in a buffer that is as wide as most answers are long."""

from __future__ import annotations

import torch
from request_kinds import frequency_params
from row_processor import RowProcessor, follow


class HistoryBufferOfFixedWidth(RowProcessor):
    logitproof_params = frequency_params
    width = 96

    def enter(self, params, prompt, outputs):
        if not params.frequency_penalty:
            return None
        tokens = torch.zeros(self.width, dtype=torch.int64)
        return {"penalty": params.frequency_penalty, "live": outputs, "tokens": tokens, "count": 0}

    def update_state(self, batch_update):
        follow(self.rows, batch_update, self.enter)
        for state in self.rows.values():
            for token in state["live"][state["count"] :]:
                self.make_room(state)
                state["tokens"][state["count"]] = token
                state["count"] += 1

    def make_room(self, state):
        return None  # The fault: an answer may be longer.

    def treat(self, logits_row, state):
        tokens = state["tokens"][: state["count"]]
        logits_row -= state["penalty"] * torch.bincount(tokens, minlength=self.vocab)
