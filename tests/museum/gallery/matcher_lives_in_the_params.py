"""F079 shared-state: the params hold the stateful matcher, so all requests made with them advance one matcher."""

from __future__ import annotations

from hypothesis import strategies as st
from row_processor import RowProcessor, ban
from toy_grammar import Matcher, following, forbidden

from logitproof import SamplingParams


def matcher_params(vocab_size):
    return st.integers(2, 5).map(lambda states: SamplingParams(extra_args={"matcher": Matcher(states, [])}))


class MatcherLivesInTheParams(RowProcessor):
    logitproof_params = matcher_params

    def enter(self, params, prompt, outputs):
        if "matcher" not in (params.extra_args or {}):
            return None
        return {"matcher": self.matcher(params), "outputs": outputs, "seen": 0}

    def matcher(self, params):
        return params.extra_args["matcher"]  # The fault: one matcher for all requests with these params.

    def advance(self, request):
        matcher = request["matcher"]
        for token in request["outputs"][request["seen"] :]:
            matcher.state = following(matcher.state, token, matcher.states)
        request["seen"] = len(request["outputs"])

    def treat(self, logits_row, request):
        matcher = request["matcher"]
        ban(logits_row, forbidden(matcher.state, matcher.states, self.vocab))
