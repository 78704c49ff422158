"""F069 lifecycle: a thinking budget advances inside apply and starts from the prompt, forgetting outputs at Add."""

from __future__ import annotations

from row_processor import RowProcessor, ban
from toy_thinking import spent, thinking_params


class BudgetCountedFromThePrompt(RowProcessor):
    logitproof_params = thinking_params

    def enter(self, params, prompt, outputs):
        if "think" not in (params.extra_args or {}):
            return None
        start, end, budget = params.extra_args["think"]
        # The fault: outputs may be there already, and what the prompt has spent is not taken off the budget.
        count = None if spent(prompt or (), start, end) is None else 0
        return {"start": start, "end": end, "budget": budget, "count": count, "outputs": outputs}

    def treat(self, logits_row, state):
        token = state["outputs"][-1] if state["outputs"] else None
        if token == state["start"]:
            state["count"] = 0
        elif token == state["end"]:
            state["count"] = None
        elif token is not None and state["count"] is not None:
            state["count"] += 1
        if state["count"] is not None and state["count"] >= state["budget"]:
            ban(logits_row, {*range(self.vocab)} - {state["end"]})
