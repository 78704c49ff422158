"""F091 nonfinite: greedy is marked by temperature 0, but another place still looks for -1 and divides by the rest."""

from __future__ import annotations

from hypothesis import strategies as st
from row_processor import RowProcessor

from logitproof import SamplingParams


def temperature_params(vocab_size):
    return st.builds(SamplingParams, temperature=st.sampled_from((0.5, 2.0, 0.0)))


class SecondCopyOfASentinel(RowProcessor):
    logitproof_params = temperature_params
    greedy = -1  # The fault: one shared constant, 0.

    def enter(self, params, prompt, outputs):
        return 1.0 if params.temperature == self.greedy else 1 / params.temperature

    def treat(self, logits_row, inverse):
        logits_row *= inverse
