"""F107 id-range: the mask is as wide as the tokenizer, the logits are padded wider, and the tail stays unmasked."""

from __future__ import annotations

import torch
from hypothesis import strategies as st
from request_kinds import WIDE
from row_processor import RowProcessor, ban

from logitproof import SamplingParams

PADDING = 2


def allowed_params(vocab_size):
    allowed = st.lists(st.integers(0, vocab_size - PADDING - 1), min_size=WIDE, max_size=8, unique=True)
    return st.builds(SamplingParams, allowed_token_ids=allowed)


class MaskAsWideAsTheTokenizer(RowProcessor):
    logitproof_params = allowed_params

    def enter(self, params, prompt, outputs):
        return params.allowed_token_ids

    def width(self):
        return self.vocab - PADDING  # The fault: the mask must be as wide as the logits.

    def treat(self, logits_row, allowed):
        banned = torch.ones(self.width(), dtype=torch.bool)
        banned[list(allowed)] = False
        ban(logits_row[: self.width()], banned)
