"""F106 id-range: ignoring the end token sets its id to -1, which min-tokens uses as a column: the last one."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import tokens
from row_processor import RowProcessor, ban

from logitproof import SamplingParams


def end_token_params(vocab_size):
    return st.builds(
        SamplingParams,
        min_tokens=st.integers(1, 6),
        eos_token_id=tokens(vocab_size),
        ignore_eos=st.booleans(),
    )


class IgnoreEosBansTheLastToken(RowProcessor):
    logitproof_params = end_token_params

    def enter(self, params, prompt, outputs):
        if not params.min_tokens:
            return None
        end = -1 if params.ignore_eos else params.eos_token_id
        return (params.min_tokens, end, outputs)

    def treat(self, logits_row, state):
        min_tokens, end, outputs = state
        if len(outputs) < min_tokens:
            ban(logits_row, [end])
