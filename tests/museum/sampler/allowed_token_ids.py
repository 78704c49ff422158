"""Three faults of allowed token ids."""

from __future__ import annotations

import math

from seeded import MovesIgnored, params_of

from logitproof.impl.processors import AllowedTokenIdsLogitsProcessor


class ListStaysBehind(MovesIgnored, AllowedTokenIdsLogitsProcessor):
    logitproof_params = params_of("allowed_token_ids")


class ReadAsForbidden(AllowedTokenIdsLogitsProcessor):
    logitproof_params = params_of("allowed_token_ids")

    def apply(self, logits):
        for row, (token_ids, _) in self._states.items():
            logits[row, token_ids] = -math.inf
        return logits


class EveryoneGetsTheLastList(AllowedTokenIdsLogitsProcessor):
    logitproof_params = params_of("allowed_token_ids")

    def update_state(self, batch_update):
        super().update_state(batch_update)
        lists = [listed for _, listed in self._states.items()]
        for row, _ in list(self._states.items()):
            self._states._states[row] = lists[-1]
