"""N32 rank-split: what a request has had is known by the address of its list, where later another list lies."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor


class LengthsKnownByAddress(RowProcessor):
    def logitproof_params(vocab_size):
        return extra(lift=st.sampled_from((1.0, 2.0)))

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.lengths = {}

    def enter(self, params, prompt, outputs):
        lift = (params.extra_args or {}).get("lift")
        return None if lift is None else (lift, outputs)

    def update_state(self, batch_update):
        super().update_state(batch_update)
        for _, outputs in self.rows.values():
            self.lengths[id(outputs)] = max(self.lengths.get(id(outputs), 0), len(outputs))
        self.forget({id(outputs) for _, outputs in self.rows.values()})

    def forget(self, there):
        return None  # The fault: the addresses of those who have left are free.

    def treat(self, logits_row, state):
        lift, outputs = state
        logits_row[self.lengths[id(outputs)] % self.vocab] += lift
