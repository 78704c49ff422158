"""N33 shared-state: a scratch tensor of the module is written to for every row, and never cleared."""

from __future__ import annotations

import torch
from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor

from logitproof.targets.params import tokens

SCRATCH = torch.zeros(4096)


class ScratchTensorOfTheModule(RowProcessor):
    def logitproof_params(vocab_size):
        return extra(lift=st.lists(tokens(vocab_size), min_size=2, max_size=3, unique=True))

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("lift")

    def clear(self):
        return None  # The fault: it holds what the rows before have written.

    def treat(self, logits_row, lift):
        self.clear()
        SCRATCH[lift] = 2.0
        logits_row += SCRATCH[: self.vocab]
