"""F064 history-view: the matchers advance by one token a step, but not in steps that also prefill somebody."""

from __future__ import annotations

from row_processor import RowProcessor, ban, follow
from toy_grammar import forbidden, grammar_params, matcher_of


class MatcherSkipsMixedSteps(RowProcessor):
    logitproof_params = grammar_params

    def enter(self, params, prompt, outputs):
        matcher = matcher_of(params, outputs)
        if matcher is not None:
            matcher.feed()  # what a request brings along is fed when it comes
        return matcher

    def update_state(self, batch_update):
        known = list(self.rows.values())
        follow(self.rows, batch_update, self.enter)
        if not self.skips(batch_update):
            for matcher in known:
                matcher.feed()

    def skips(self, batch_update):
        return batch_update is not None and bool(batch_update.added)  # The fault: decoding rows go on.

    def treat(self, logits_row, matcher):
        ban(logits_row, forbidden(matcher.state, matcher.states, self.vocab))
