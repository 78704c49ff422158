"""F016 dispatch: a wrapper with an inner processor per row returns early on None; those see no new tokens."""

from __future__ import annotations

from request_kinds import min_tokens_params
from row_processor import RowProcessor, ban, follow


class MinTokensOfOneRow:
    def __init__(self, params, outputs):
        self.params, self.outputs = params, outputs
        self.waits = False

    def update(self):
        self.waits = len(self.outputs) < self.params.min_tokens

    def apply(self, logits_row):
        if self.waits:
            ban(logits_row, self.params.all_stop_token_ids)


class WrapperDropsNone(RowProcessor):
    logitproof_params = min_tokens_params

    def enter(self, params, prompt, outputs):
        return MinTokensOfOneRow(params, outputs) if params.min_tokens else None

    def update_state(self, batch_update):
        if batch_update is None:
            return  # The fault: every inner processor wants one update per step.
        self.forward(batch_update)

    def forward(self, batch_update):
        follow(self.rows, batch_update, self.enter)
        for inner in self.rows.values():
            inner.update()

    def treat(self, logits_row, inner):
        inner.apply(logits_row)
