"""N5 fast-path: progress is counted in apply, which engines skip when every request is greedy."""

from __future__ import annotations

from request_kinds import min_p_params
from row_processor import RowProcessor


class AdvancedInASkippedApply(RowProcessor):
    logitproof_params = min_p_params

    def is_argmax_invariant(self):
        return True

    def enter(self, params, prompt, outputs):
        return {"min_p": params.min_p, "outputs": outputs, "said": len(outputs)} if params.min_p else None

    def treat(self, logits_row, state):
        if self.said(state) < 3:
            logits_row[logits_row.argmin()] -= state["min_p"]

    def said(self, state):
        state["said"] += 1  # The fault: the output list knows how many there are.
        return state["said"] - 1
