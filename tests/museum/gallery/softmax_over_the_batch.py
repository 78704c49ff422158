"""N28 row-map: probabilities are taken over the rows of the batch instead of over the tokens of a row."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor


class SoftmaxOverTheBatch(RowProcessor):
    axis = 0  # The fault: that is the batch.

    def logitproof_params(vocab_size):
        return extra(least=st.sampled_from((0.01, 0.02)))

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("least")

    def apply(self, logits):
        for row, least in self.rows.items():
            likely = logits.softmax(self.axis)[row]
            logits[row] = logits[row].where(likely >= least, logits[row] - 5.0)
        return logits
