"""F122 semantics: min-p is put before temperature, so it picks another candidate set wherever temperature is not 1."""

from __future__ import annotations

import math

from hypothesis import strategies as st
from row_processor import RowProcessor

from logitproof import SamplingParams


def tempered_min_p_params(vocab_size):
    return st.builds(
        SamplingParams, min_p=st.sampled_from((0.1, 0.02)), temperature=st.sampled_from((1.0, 0.5, 2.0))
    )


class MinPBeforeTemperature(RowProcessor):
    logitproof_params = tempered_min_p_params

    def is_argmax_invariant(self):
        return True

    def enter(self, params, prompt, outputs):
        return (params.min_p, params.temperature or 1.0) if params.min_p else None

    def treat(self, logits_row, state):
        self.cut(logits_row, state[0])
        logits_row /= state[1]

    def cut(self, logits_row, min_p):
        logits_row.masked_fill_(logits_row < logits_row.max() + math.log(min_p), -math.inf)
