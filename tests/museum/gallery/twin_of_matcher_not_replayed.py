"""Twin of F077 lifecycle, without the fault: the matcher is fed what was committed before."""

from __future__ import annotations

from matcher_not_replayed import MatcherNotReplayed
from toy_grammar import matcher_of


class TwinOfMatcherNotReplayed(MatcherNotReplayed):
    def enter(self, params, prompt, outputs):
        return matcher_of(params, outputs)
