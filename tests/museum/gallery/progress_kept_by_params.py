"""N14 shared-state: progress is kept by the params object, which requests made in one call share."""

from __future__ import annotations

from request_kinds import min_tokens_params
from row_processor import RowProcessor, ban, follow


class ProgressKeptByParams(RowProcessor):
    logitproof_params = min_tokens_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.lengths = {}

    def enter(self, params, prompt, outputs):
        stops = {*params.stop_token_ids, *((params.eos_token_id,) if params.eos_token_id is not None else ())}
        return (params, outputs, stops) if params.min_tokens and stops else None

    def key(self, params, outputs):
        return id(params)  # The fault: requests may share it.

    def update_state(self, batch_update):
        follow(self.rows, batch_update, self.enter)
        self.lengths = {self.key(params, outputs): len(outputs) for params, outputs, _ in self.rows.values()}

    def treat(self, logits_row, state):
        params, outputs, stops = state
        if self.lengths[self.key(params, outputs)] < params.min_tokens:
            ban(logits_row, stops)
