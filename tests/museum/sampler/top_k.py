"""Three faults of top-k."""

from __future__ import annotations

import math

from seeded import SwapHalfDone, params_of

from logitproof.impl.processors import TopKLogitsProcessor


class OneTooMany(TopKLogitsProcessor):
    logitproof_params = params_of("top_k")

    @staticmethod
    def number_of(params):
        return params.top_k + 1 if params.top_k > 0 else None


class LargestKForAll(TopKLogitsProcessor):
    logitproof_params = params_of("top_k")

    def apply(self, logits):
        for row in self._numbers.rows:
            k = min(int(max(self._numbers.values)), logits.shape[1])
            logits[row][logits[row] < logits[row].topk(k).values[-1]] = -math.inf
        return logits


class NumberLostInASwap(SwapHalfDone, TopKLogitsProcessor):
    logitproof_params = params_of("top_k")
