"""F022 list-misalign: on removal the list of row processors is filtered only if one is non-empty, the ids always."""

from __future__ import annotations

from request_kinds import bad_token_args
from row_processor import RowProcessor, ban

from logitproof import MoveDirectionality


class ListsFilteredOnlyIfAnyIsUsed(RowProcessor):
    logitproof_params = bad_token_args

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.ids = []
        self.processors = []

    def is_filtered(self):
        return any(self.processors)  # The fault: parallel lists are filtered unconditionally.

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for index, params, _prompt, outputs in batch_update.added:
            tokens = list((params.extra_args or {}).get("bad_tokens", ()))
            if index < len(self.ids):
                self.ids[index], self.processors[index] = id(outputs), tokens
            else:
                self.ids.append(id(outputs))
                self.processors.append(tokens)
        for source, destination, how in batch_update.moved:
            for rows in (self.ids, self.processors):
                kept = rows[destination] if how is MoveDirectionality.SWAP else rows[source]
                rows[source], rows[destination] = kept, rows[source]
        del self.ids[batch_update.batch_size :]
        if self.is_filtered():
            del self.processors[batch_update.batch_size :]

    def apply(self, logits):
        for logits_row, tokens in zip(logits, self.processors, strict=False):
            ban(logits_row, tokens)
        return logits
