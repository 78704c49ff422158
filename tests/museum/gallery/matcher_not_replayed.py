"""F077 lifecycle: a request that comes back gets a new matcher, which is not fed with the tokens committed before."""

from __future__ import annotations

from row_processor import RowProcessor, ban
from toy_grammar import forbidden, grammar_params, matcher_of


class MatcherNotReplayed(RowProcessor):
    logitproof_params = grammar_params

    def enter(self, params, prompt, outputs):
        matcher = matcher_of(params, outputs)
        if matcher is not None:
            matcher.position = len(outputs)  # The fault: the outputs at Add are skipped.
        return matcher

    def advance(self, matcher):
        matcher.feed()

    def treat(self, logits_row, matcher):
        ban(logits_row, forbidden(matcher.state, matcher.states, self.vocab))
