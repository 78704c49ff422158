"""F002 alias-view: noise for the unseeded rows is written into a copy, so beside seeded rows they keep their zeros."""

from __future__ import annotations

import torch
from hypothesis import strategies as st
from row_processor import RowProcessor, follow

from logitproof import SamplingParams


def seed_params(vocab_size):
    return st.builds(SamplingParams, seed=st.integers(0, 3))


class NoiseWrittenIntoACopy(RowProcessor):
    logitproof_params = seed_params

    def enter(self, params, prompt, outputs):
        return params

    def update_state(self, batch_update):
        follow(self.rows, batch_update, self.enter)

    def apply(self, logits):
        noise = torch.zeros_like(logits)
        seeded = {row: params.seed for row, params in self.rows.items() if params.seed is not None}
        unseeded = [row for row in range(len(logits)) if row not in seeded]
        if not seeded:
            noise.fill_(1.0)
        elif unseeded:
            self.fill(noise, unseeded)
        for row, seed in seeded.items():
            noise[row] = 1.0 + seed / 4
        return logits.mul_(noise)

    def fill(self, noise, rows):
        noise[rows].fill_(1.0)  # The fault: a list of rows gives a copy.
