"""F039 row-map: top-p squeezes the batch axis of its sorted indices, so that rows use each other's ordering."""

from __future__ import annotations

import math

import torch
from hypothesis import strategies as st
from row_processor import RowProcessor

from logitproof import SamplingParams


def top_p_params(vocab_size):
    return st.builds(SamplingParams, top_p=st.sampled_from((0.3, 0.6, 0.9)))


class SortedIndicesSqueezed(RowProcessor):
    logitproof_params = top_p_params

    def is_argmax_invariant(self):
        return True

    def enter(self, params, prompt, outputs):
        return params.top_p if params.top_p < 1 else None

    def apply(self, logits):
        if not self.rows:
            return logits
        top_p = torch.tensor([self.rows.get(row, math.inf) for row in range(len(logits))]).unsqueeze(1)
        ordered, order = logits.sort(dim=1, descending=True)
        share = ordered.softmax(dim=1)
        ordered.masked_fill_(share.cumsum(dim=1) - share >= top_p, -math.inf)
        return self.unsort(logits, ordered, order)

    def unsort(self, logits, ordered, order):
        logits[:, order.squeeze(0)] = ordered  # The fault: right for a single row only.
        return logits
