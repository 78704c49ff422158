"""F067 history-view: a history-dependent processor is given this step's input tokens, not prompt and output so far."""

from __future__ import annotations

import torch
from hypothesis import strategies as st
from row_processor import RowProcessor

from logitproof import SamplingParams


def repetition_params(vocab_size):
    return st.builds(SamplingParams, repetition_penalty=st.sampled_from((2.0, 0.5)))


class HistoryOfOneStep(RowProcessor):
    logitproof_params = repetition_params

    def enter(self, params, prompt, outputs):
        return None if params.repetition_penalty == 1 else (params.repetition_penalty, prompt or [], outputs)

    def history(self, prompt, outputs):
        return outputs[-1:] or prompt

    def treat(self, logits_row, state):
        penalty, prompt, outputs = state
        seen = torch.zeros(self.vocab, dtype=torch.bool)
        seen[self.history(prompt, outputs)] = True
        scaled = torch.where(logits_row > 0, logits_row / penalty, logits_row * penalty)
        logits_row.copy_(torch.where(seen, scaled, logits_row))
