"""F009 stale-slot: a prefill takes slots 0 to N-1 for its N newcomers, whoever is decoding there."""

from __future__ import annotations

from request_kinds import bad_token_args
from row_processor import RowProcessor, ban, follow

from logitproof import BatchUpdate


class NewcomersStartAtSlotZero(RowProcessor):
    logitproof_params = bad_token_args

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("bad_tokens", ())

    def update_state(self, batch_update):
        if batch_update is None:
            return
        added = [(slot, *request) for slot, (_index, *request) in enumerate(batch_update.added)]
        follow(
            self.rows,
            BatchUpdate(batch_update.batch_size, batch_update.removed, added, batch_update.moved),
            self.enter,
        )

    def treat(self, logits_row, bad_tokens):
        ban(logits_row, bad_tokens)
