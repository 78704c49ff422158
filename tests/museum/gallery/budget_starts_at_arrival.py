"""N29 lifecycle: a budget counts the tokens since the request was added, though it may have some by then."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor, ban


class BudgetStartsAtArrival(RowProcessor):
    def logitproof_params(vocab_size):
        return extra(budget=st.integers(1, 5))

    def enter(self, params, prompt, outputs):
        budget = (params.extra_args or {}).get("budget")
        return None if budget is None else (budget + self.spent(outputs), outputs)

    def spent(self, outputs):
        return len(outputs)  # The fault: what came before counts as well.

    def treat(self, logits_row, state):
        most, outputs = state
        if len(outputs) >= most:
            ban(logits_row, range(1, self.vocab))
