"""F094 nonfinite: top-k runs first and does not renormalise, top-p assumes that the sum is 1, and nothing is left."""

from __future__ import annotations

import math

from request_kinds import top_k_top_p_params
from row_processor import RowProcessor


class TopPWithoutRenormalising(RowProcessor):
    logitproof_params = top_k_top_p_params

    def is_argmax_invariant(self):
        return True

    def enter(self, params, prompt, outputs):
        return (params.top_k, params.top_p) if params.top_k > 0 else None

    def treat(self, logits_row, state):
        top_k, top_p = state
        ascending, order = logits_row.sort()
        share = ascending.softmax(dim=0)
        share[:-top_k] = 0
        share = self.between_the_filters(share)
        cut = (share.cumsum(dim=0) <= 1 - top_p) | (share == 0)
        logits_row[order[cut]] = -math.inf

    def between_the_filters(self, share):
        return share  # The fault: what top-k leaves must sum to 1 again.
