"""F066 history-view: a request's processor is built after its prefill was sampled, so the first token goes without."""

from __future__ import annotations

from request_kinds import bad_token_args
from row_processor import RowProcessor, ban


class SamplersBuiltAfterTheFirstToken(RowProcessor):
    logitproof_params = bad_token_args

    def enter(self, params, prompt, outputs):
        bad_tokens = (params.extra_args or {}).get("bad_tokens")
        return None if bad_tokens is None else {"bad_tokens": bad_tokens, "is_built": self.built_at_once()}

    def built_at_once(self):
        return False  # The fault: before the first sampling, not after it.

    def apply(self, logits):
        for row, state in self.rows.items():
            if state["is_built"]:
                ban(logits[row], state["bad_tokens"])
            state["is_built"] = True
        return logits
