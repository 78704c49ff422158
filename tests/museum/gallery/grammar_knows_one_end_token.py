"""F114 semantics: the grammar gates one end token; the request's other stop ids are allowed in every state."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import tokens
from row_processor import RowProcessor, ban
from toy_grammar import forbidden, matcher_of

from logitproof import SamplingParams


def grammar_with_stop_ids_params(vocab_size):
    return st.builds(
        lambda states, end, others: SamplingParams(
            eos_token_id=end, stop_token_ids=others, extra_args={"grammar": states}
        ),
        st.integers(2, 5),
        tokens(vocab_size),
        st.lists(tokens(vocab_size), max_size=2, unique=True),
    )


class GrammarKnowsOneEndToken(RowProcessor):
    logitproof_params = grammar_with_stop_ids_params

    def enter(self, params, prompt, outputs):
        matcher = matcher_of(params, outputs)
        return None if matcher is None else (matcher, self.end_tokens(params))

    def end_tokens(self, params):
        return {params.eos_token_id}  # The fault: the stop set is all_stop_token_ids.

    def advance(self, state):
        state[0].feed()

    def treat(self, logits_row, state):
        matcher, end_tokens = state
        banned = {*forbidden(matcher.state, matcher.states, self.vocab)}
        ban(logits_row, banned | end_tokens if matcher.state else banned)
