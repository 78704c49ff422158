"""Twin of F079 shared-state, without the fault: every request gets a matcher of its own."""

from __future__ import annotations

from matcher_lives_in_the_params import MatcherLivesInTheParams
from toy_grammar import Matcher


class TwinOfMatcherLivesInTheParams(MatcherLivesInTheParams):
    def matcher(self, params):
        return Matcher(params.extra_args["matcher"].states, [])
