"""N31 shared-state: the bias of a list of tokens is kept by their sum, so lists with equal sums share one."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor

from logitproof.targets.params import tokens


class BiasCachedByASum(RowProcessor):
    def logitproof_params(vocab_size):
        return extra(lift=st.lists(tokens(vocab_size), min_size=2, max_size=3, unique=True))

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.lists = {}

    def enter(self, params, prompt, outputs):
        lift = (params.extra_args or {}).get("lift")
        return None if lift is None else self.lists.setdefault(self.key(lift), lift)

    def key(self, lift):
        return sum(lift)  # The fault: it is equal for other tokens.

    def treat(self, logits_row, lift):
        logits_row[lift] += 2.0
