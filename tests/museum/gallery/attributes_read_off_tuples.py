"""R3 silent-drop: the consumer reads attributes where the engine delivers tuples, guarded, so every Add is skipped."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra
from row_processor import RowProcessor, follow

from logitproof import BatchUpdate

DEFAULT_STRENGTH = 1.0


def strength_params(vocab_size):
    return extra(strength=st.sampled_from((0.5, 2.0, 4.0)))


class AttributesReadOffTuples(RowProcessor):
    """A watermark: every request's even tokens gain its `strength`, or the default."""

    logitproof_params = strength_params

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("strength")

    def is_understood(self, change):
        return hasattr(change, "req_index") or hasattr(change, "src_index")  # The fault: they are tuples.

    def update_state(self, batch_update):
        if batch_update is None:
            return
        added = [change for change in batch_update.added if self.is_understood(change)]
        moved = [change for change in batch_update.moved if self.is_understood(change)]
        follow(
            self.rows, BatchUpdate(batch_update.batch_size, batch_update.removed, added, moved), self.enter
        )

    def apply(self, logits):
        for row in range(len(logits)):
            logits[row, ::2] += self.rows.get(row, DEFAULT_STRENGTH)
        return logits
