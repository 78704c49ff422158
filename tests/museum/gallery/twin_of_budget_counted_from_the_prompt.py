"""Twin of F069 lifecycle, without the fault: prompt and outputs at Add are counted, and apply changes no state."""

from __future__ import annotations

from budget_counted_from_the_prompt import BudgetCountedFromThePrompt
from row_processor import ban
from toy_thinking import spent


class TwinOfBudgetCountedFromThePrompt(BudgetCountedFromThePrompt):
    def enter(self, params, prompt, outputs):
        state = super().enter(params, prompt, outputs)
        return None if state is None else {**state, "prompt": prompt or []}

    def advance(self, state):
        state["count"] = spent([*state["prompt"], *state["outputs"]], state["start"], state["end"])

    def treat(self, logits_row, state):
        if state["count"] is not None and state["count"] >= state["budget"]:
            ban(logits_row, {*range(self.vocab)} - {state["end"]})
