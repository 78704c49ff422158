"""Twin of F064 history-view, without the fault: decoding rows advance in every step."""

from __future__ import annotations

from matcher_skips_mixed_steps import MatcherSkipsMixedSteps


class TwinOfMatcherSkipsMixedSteps(MatcherSkipsMixedSteps):
    def skips(self, batch_update):
        return False
