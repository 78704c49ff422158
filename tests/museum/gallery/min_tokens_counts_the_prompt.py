"""F116 semantics: min-tokens compares prompt and output together with the minimum."""

from __future__ import annotations

from request_kinds import min_tokens_params
from row_processor import RowProcessor, ban


class MinTokensCountsThePrompt(RowProcessor):
    logitproof_params = min_tokens_params

    def enter(self, params, prompt, outputs):
        return (params, prompt or [], outputs) if params.min_tokens else None

    def treat(self, logits_row, state):
        params, prompt, outputs = state
        if len(prompt) + len(outputs) < params.min_tokens:
            ban(logits_row, params.all_stop_token_ids)
