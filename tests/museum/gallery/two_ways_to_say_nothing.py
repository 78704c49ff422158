"""F024 list-misalign: a plain row holds None after an all-plain prefill, else an empty list; both are iterated."""

from __future__ import annotations

from request_kinds import bad_token_args
from row_processor import RowProcessor, ban, follow

from logitproof import BatchUpdate


class TwoWaysToSayNothing(RowProcessor):
    logitproof_params = bad_token_args
    nothing = None  # The fault: elsewhere nothing is an empty list.

    def enter(self, params, prompt, outputs):
        return {"tokens": (params.extra_args or {}).get("bad_tokens", [])}

    def update_state(self, batch_update):
        if batch_update is None:
            return
        follow(self.rows, BatchUpdate(0, batch_update.removed, batch_update.added, []), self.enter)
        newcomers = [self.rows[index] for index, *_ in batch_update.added]
        if not any(state["tokens"] for state in newcomers):
            for state in newcomers:
                state["tokens"] = self.nothing
        follow(self.rows, BatchUpdate(0, [], [], batch_update.moved), self.enter)

    def apply(self, logits):
        if any(state["tokens"] for state in self.rows.values()):
            for row, state in self.rows.items():
                for token in state["tokens"]:
                    ban(logits[row], [token])
        return logits
