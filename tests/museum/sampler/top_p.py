"""Three faults of top-p."""

from __future__ import annotations

import math

from seeded import MovesIgnored, params_of

from logitproof.impl.processors import TopPLogitsProcessor


class NumberStaysBehind(MovesIgnored, TopPLogitsProcessor):
    logitproof_params = params_of("top_p")


class EdgeDropped(TopPLogitsProcessor):
    """The token that takes the sum past p is dropped, save the first."""

    logitproof_params = params_of("top_p")

    def apply(self, logits):
        for row, p in zip(self._numbers.rows, self._numbers.values, strict=True):
            ordered = logits[row].double().sort(descending=True)
            reached = ordered.values.softmax(0).cumsum(0) > p
            reached[0] = False
            logits[row, ordered.indices[reached]] = -math.inf
        return logits


class SmallestPForAll(TopPLogitsProcessor):
    logitproof_params = params_of("top_p")

    def update_state(self, batch_update):
        super().update_state(batch_update)
        self._numbers.values[:] = (
            [min(self._numbers.values)] * len(self._numbers.values) if self._states else []
        )
