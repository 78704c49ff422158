"""N27 mixed-default: the mean of the gains that requests ask for scales the whole batch."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor


class OneGainForTheBatch(RowProcessor):
    def logitproof_params(vocab_size):
        return extra(gain=st.sampled_from((0.5, 2.0)))

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("gain")

    def apply(self, logits):
        if self.rows:
            logits *= sum(self.rows.values()) / len(self.rows)  # The fault: a row for everybody.
        return logits
