"""F044 spec-rows: a step that commits several tokens feeds only the last of them to the penalty's counts."""

from __future__ import annotations

import torch
from request_kinds import frequency_params
from row_processor import RowProcessor


class OnlyTheLastAcceptedTokenCounts(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        if not params.frequency_penalty:
            return None
        history = torch.tensor(outputs, dtype=torch.int64)
        counts = torch.bincount(history, minlength=self.vocab)
        return {
            "penalty": params.frequency_penalty,
            "outputs": outputs,
            "seen": len(outputs),
            "counts": counts,
        }

    def advance(self, state):
        for token in self.accepted(state["outputs"][state["seen"] :]):
            state["counts"][token] += 1
        state["seen"] = len(state["outputs"])

    def accepted(self, tokens):
        return tokens[-1:]  # The fault: all of them.

    def treat(self, logits_row, state):
        logits_row -= state["penalty"] * state["counts"]
