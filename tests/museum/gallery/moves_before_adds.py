"""R1 move-lost: removed, then moved, then added: an Add and a swap in one step leave the wrong configurations."""

from __future__ import annotations

from request_kinds import bad_token_args
from row_processor import RowProcessor, ban, follow

from logitproof import BatchUpdate


class MovesBeforeAdds(RowProcessor):
    logitproof_params = bad_token_args

    def enter(self, params, prompt, outputs):
        return (params.extra_args or {}).get("bad_tokens")

    def update_state(self, batch_update):
        if batch_update is None:
            return
        size = batch_update.batch_size
        follow(self.rows, BatchUpdate(size, batch_update.removed, [], batch_update.moved), self.enter)
        follow(self.rows, BatchUpdate(size, [], batch_update.added, []), self.enter)

    def treat(self, logits_row, bad_tokens):
        ban(logits_row, bad_tokens)
