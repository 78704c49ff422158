"""N10 spec-rows: progress is the number of steps, though drafts are accepted and a step may bring several tokens."""

from __future__ import annotations

from request_kinds import min_tokens_params
from row_processor import RowProcessor, ban


class OneTokenAStepIsCounted(RowProcessor):
    logitproof_params = min_tokens_params

    def enter(self, params, prompt, outputs):
        if not params.min_tokens:
            return None
        return {"params": params, "outputs": outputs, "said": len(outputs), "seen": len(outputs)}

    def advance(self, state):
        state["said"] += self.new(len(state["outputs"]) - state["seen"])
        state["seen"] = len(state["outputs"])

    def new(self, grown):
        return min(grown, 1)  # The fault: the list grew by more.

    def treat(self, logits_row, state):
        if state["said"] < state["params"].min_tokens:
            ban(logits_row, state["params"].all_stop_token_ids)
