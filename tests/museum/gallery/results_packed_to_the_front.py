"""N34 row-map: only rows that use it are computed, and the results are written back to the first rows."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor

from logitproof.targets.params import tokens


class ResultsPackedToTheFront(RowProcessor):
    def logitproof_params(vocab_size):
        return extra(lift=st.lists(tokens(vocab_size), min_size=2, max_size=3, unique=True))

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("lift")

    def places(self, rows):
        return list(range(len(rows)))  # The fault: they came from other rows.

    def apply(self, logits):
        if not self.rows:
            return logits
        rows = sorted(self.rows)
        lifted = logits[rows]
        for place, row in enumerate(rows):
            lifted[place, self.rows[row]] += 2.0
        logits[self.places(rows)] = lifted
        return logits
