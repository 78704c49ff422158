"""N4 fast-path: the claim of argmax invariance is true while nobody is there, and that is when it is read."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor, ban


class ClaimAsksWhoIsThere(RowProcessor):
    logitproof_params = bad_token_params

    def is_argmax_invariant(self):
        return not self.rows  # The fault: it is asked once, before anybody comes.

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def treat(self, logits_row, tokens):
        ban(logits_row, tokens)
