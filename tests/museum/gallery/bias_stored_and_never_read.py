"""F144 silent-drop: the logit bias is accepted and stored with the metadata, and the sampler never reads it."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import tokens
from row_processor import RowProcessor, ban

from logitproof import SamplingParams


def bad_words_and_bias_params(vocab_size):
    return st.builds(
        SamplingParams,
        bad_words=st.lists(tokens(vocab_size).map(lambda token: (token,)), max_size=2),
        logit_bias=st.dictionaries(
            tokens(vocab_size), st.sampled_from((4.5, -100.0)), min_size=1, max_size=2
        ),
    )


class BiasStoredAndNeverRead(RowProcessor):
    logitproof_params = bad_words_and_bias_params

    def enter(self, params, prompt, outputs):
        return {
            "bad_tokens": [token for word in params.bad_words for token in word],
            "bias": params.logit_bias or {},
        }

    def treat(self, logits_row, metadata):
        ban(logits_row, metadata["bad_tokens"])
