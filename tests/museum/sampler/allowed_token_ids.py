"""Three faults of allowed token ids."""

from __future__ import annotations

import math
from dataclasses import replace

from seeded import MovesIgnored, params_of

from logitproof.impl.processors import AllowedTokenIdsLogitsProcessor


class ListStaysBehind(MovesIgnored, AllowedTokenIdsLogitsProcessor):
    logitproof_params = params_of("allowed_token_ids")


class ReadAsForbidden(AllowedTokenIdsLogitsProcessor):
    logitproof_params = params_of("allowed_token_ids")

    def apply(self, logits):
        for row, token_ids in self._states.items():
            logits[row, token_ids] = -math.inf
        return logits


class EveryoneGetsTheLastList(AllowedTokenIdsLogitsProcessor):
    logitproof_params = params_of("allowed_token_ids")

    def update_state(self, batch_update):
        if batch_update is not None:
            lists = [p.allowed_token_ids for _, p, _, _ in batch_update.added if p.allowed_token_ids]
            added = [
                (
                    i,
                    replace(params, allowed_token_ids=lists[-1]) if params.allowed_token_ids else params,
                    *rest,
                )
                for i, params, *rest in batch_update.added
            ]
            batch_update = replace(batch_update, added=added)
        super().update_state(batch_update)
