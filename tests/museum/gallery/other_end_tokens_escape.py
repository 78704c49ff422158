"""F112 semantics: min-tokens bans the model's own end token, but not the other ids that stop the request."""

from __future__ import annotations

from request_kinds import min_tokens_params
from row_processor import RowProcessor, ban


class OtherEndTokensEscape(RowProcessor):
    logitproof_params = min_tokens_params

    def enter(self, params, prompt, outputs):
        return (params, outputs) if params.min_tokens and params.eos_token_id is not None else None

    def treat(self, logits_row, state):
        params, outputs = state
        if len(outputs) < params.min_tokens:
            ban(logits_row, [params.eos_token_id])
