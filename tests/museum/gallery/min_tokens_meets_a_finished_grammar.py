"""F092 nonfinite: a finished grammar allows the end token only, min-tokens bans it, and no token is left."""

from __future__ import annotations

import math

from hypothesis import strategies as st
from request_kinds import tokens
from row_processor import RowProcessor, ban

from logitproof import SamplingParams


def short_grammar_params(vocab_size):
    return st.builds(
        lambda end, least, length: SamplingParams(
            eos_token_id=end, min_tokens=least, extra_args={"length": length}
        ),
        tokens(vocab_size),
        st.integers(0, 4),
        st.integers(1, 4),
    )


class MinTokensMeetsAFinishedGrammar(RowProcessor):
    logitproof_params = short_grammar_params

    def enter(self, params, prompt, outputs):
        return (params, outputs) if params.extra_args else None

    def treat(self, logits_row, state):
        params, outputs = state
        if len(outputs) >= params.extra_args["length"]:
            ban(logits_row, {*range(self.vocab)} - {params.eos_token_id})
        if len(outputs) < params.min_tokens:
            self.ban_end(logits_row, params.eos_token_id)

    def ban_end(self, logits_row, end):
        logits_row[end] = -math.inf  # The fault: it may be the last token that was left.
