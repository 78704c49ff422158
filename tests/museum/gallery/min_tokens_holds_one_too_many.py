"""F111 semantics: min-tokens compares the position of the last token, which is the length less one."""

from __future__ import annotations

from request_kinds import min_tokens_params
from row_processor import RowProcessor, ban


class MinTokensHoldsOneTooMany(RowProcessor):
    logitproof_params = min_tokens_params

    def enter(self, params, prompt, outputs):
        return (params, outputs) if params.min_tokens else None

    def treat(self, logits_row, state):
        params, outputs = state
        if len(outputs) - 1 < params.min_tokens:
            ban(logits_row, params.all_stop_token_ids)
