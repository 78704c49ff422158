"""N24 rank-split: a request is ended when its time is over, and every rank has a clock of its own."""

from __future__ import annotations

import time

from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor, ban


class DeadlineByTheClock(RowProcessor):
    def logitproof_params(vocab_size):
        return extra(most=st.integers(100, 300))

    def enter(self, params, prompt, outputs):
        most = (params.extra_args or {}).get("most")
        return None if most is None else (self.now(outputs) + most, outputs)

    def now(self, outputs):
        return time.monotonic()  # The fault: tokens are the same on every rank, time is not.

    def treat(self, logits_row, state):
        deadline, outputs = state
        if self.now(outputs) > deadline:
            ban(logits_row, range(1, self.vocab))
