"""F036 row-map: the row map follows the scheduler's dict, in order of arrival, not the batch after its update."""

from __future__ import annotations

from request_kinds import bad_token_args
from row_processor import RowProcessor, ban, follow


class RowMapFromBeforeTheUpdate(RowProcessor):
    logitproof_params = bad_token_args

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.scheduled = {}

    def enter(self, params, prompt, outputs):
        return id(outputs), (params.extra_args or {}).get("bad_tokens", ())

    def update_state(self, batch_update):
        if batch_update is None:
            return
        follow(self.rows, batch_update, self.enter)
        live = dict(self.rows.values())
        self.scheduled = {request: tokens for request, tokens in self.scheduled.items() if request in live}
        for _index, params, prompt, outputs in batch_update.added:
            request, tokens = self.enter(params, prompt, outputs)
            self.scheduled[request] = tokens

    def row_map(self):
        return list(self.scheduled.values())  # The fault: rows follow the persistent batch.

    def apply(self, logits):
        for logits_row, bad_tokens in zip(logits, self.row_map(), strict=True):
            ban(logits_row, bad_tokens)
        return logits
