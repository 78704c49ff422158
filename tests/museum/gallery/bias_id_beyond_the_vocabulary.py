"""F102 id-range: a biased id is not checked when the request arrives, and one past the vocabulary kills the step."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra, tokens
from row_processor import RowProcessor


def boost_params(vocab_size):
    return extra(
        boost=st.dictionaries(tokens(vocab_size), st.sampled_from((2.5, -4.0)), min_size=1, max_size=3)
    )


class BiasIdBeyondTheVocabulary(RowProcessor):
    logitproof_params = boost_params

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("boost")

    def treat(self, logits_row, boost):
        for token, bias in boost.items():
            logits_row[token] += bias
