"""F121 semantics: once the budget's machine has seen an end marker it is in its final state, which has no exit."""

from __future__ import annotations

from itertools import chain

from row_processor import RowProcessor, ban
from toy_thinking import thinking_params


class PromptMarkersUseUpTheBudget(RowProcessor):
    logitproof_params = thinking_params

    def enter(self, params, prompt, outputs):
        if "think" not in (params.extra_args or {}):
            return None
        return (*params.extra_args["think"], prompt or [], outputs)

    def may_start(self, done):
        return not done  # The fault: a new start marker arms the budget again.

    def treat(self, logits_row, state):
        start, end, budget, prompt, outputs = state
        count, done = None, False
        for token in chain(prompt, outputs):
            if token == start and self.may_start(done):
                count = 0
            elif token == end:
                count, done = None, True
            elif count is not None:
                count += 1
        if count is not None and count >= budget:
            ban(logits_row, {*range(self.vocab)} - {end})
