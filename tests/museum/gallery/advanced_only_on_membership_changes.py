"""F019 dispatch: a budget advances only when somebody is added, removed or moved; plain decode steps do not count."""

from __future__ import annotations

from row_processor import RowProcessor, ban, follow
from toy_thinking import spent, thinking_params


class AdvancedOnlyOnMembershipChanges(RowProcessor):
    logitproof_params = thinking_params

    def enter(self, params, prompt, outputs):
        if "think" not in (params.extra_args or {}):
            return None
        start, end, budget = params.extra_args["think"]
        return {
            "start": start,
            "end": end,
            "budget": budget,
            "history": (prompt or [], outputs),
            "over": False,
        }

    def is_due(self, batch_update):
        return batch_update is not None  # The fault: outputs grow in every step.

    def update_state(self, batch_update):
        follow(self.rows, batch_update, self.enter)
        if not self.is_due(batch_update):
            return
        for state in self.rows.values():
            prompt, outputs = state["history"]
            count = spent([*prompt, *outputs], state["start"], state["end"])
            state["over"] = count is not None and count >= state["budget"]

    def treat(self, logits_row, state):
        if state["over"]:
            ban(logits_row, {*range(self.vocab)} - {state["end"]})
