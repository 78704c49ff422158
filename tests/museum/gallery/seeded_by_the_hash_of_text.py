"""N23 rank-split: a watermark is seeded by the hash of its key, which is another one in every process."""

from __future__ import annotations

import torch
from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor


class SeededByTheHashOfText(RowProcessor):
    def logitproof_params(vocab_size):
        return extra(key=st.sampled_from(("red", "green")))

    def enter(self, params, prompt, outputs):
        key = (params.extra_args or {}).get("key")
        if key is None:
            return None
        generator = torch.Generator().manual_seed(self.seed(key))
        return torch.randperm(self.vocab, generator=generator)[: self.vocab // 2]

    def seed(self, key):
        return hash(key) % 2**31  # The fault: text has another hash in every process.

    def treat(self, logits_row, listed):
        logits_row[listed] += 2.0
