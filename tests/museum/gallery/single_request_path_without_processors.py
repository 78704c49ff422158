"""F089 fast-path: a batch of one takes a path of its own, whose decode loop has no processors."""

from __future__ import annotations

from request_kinds import bad_token_args
from row_processor import RowProcessor, ban


class SingleRequestPathWithoutProcessors(RowProcessor):
    logitproof_params = bad_token_args

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("bad_tokens")

    def takes_the_short_path(self, size):
        return size == 1  # The fault: only without processors.

    def apply(self, logits):
        return logits if self.takes_the_short_path(len(logits)) else super().apply(logits)

    def treat(self, logits_row, bad_tokens):
        ban(logits_row, bad_tokens)
