"""Nothing wrong here: what an engine that forgets pooling requests is watched with."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import bad_token_args, extra
from row_processor import RowProcessor, ban


def pooling_or_bad_token_params(vocab_size):
    return st.one_of(bad_token_args(vocab_size), extra(pooling=st.just(True)))


class PoolingOrBadTokens(RowProcessor):
    logitproof_params = pooling_or_bad_token_params

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("bad_tokens")

    def treat(self, logits_row, bad_tokens):
        ban(logits_row, bad_tokens)
