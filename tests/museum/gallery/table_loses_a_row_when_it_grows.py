"""N17 flag-drift: a table of rows grows with the batch, and its last row is not copied over."""

from __future__ import annotations

import torch
from request_kinds import bad_token_params
from row_processor import RowProcessor, ban, follow


class TableLosesARowWhenItGrows(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.table = torch.zeros(2, self.vocab, dtype=torch.bool)

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def update_state(self, batch_update):
        if batch_update is None:
            return
        follow(self.rows, batch_update, self.enter)
        if batch_update.batch_size > len(self.table):
            larger = torch.zeros(2 * batch_update.batch_size, self.vocab, dtype=torch.bool)
            kept = self.kept(len(self.table))
            larger[:kept] = self.table[:kept]
            self.table = larger
            changed = [row for row, _, _, _ in batch_update.added]
            changed += [row for source, to, _ in batch_update.moved for row in (source, to)]
        else:
            changed = range(len(self.table))
        for row in changed:
            if row < len(self.table):
                self.table[row] = False
                self.table[row, self.rows.get(row, [])] = True

    def kept(self, rows):
        return rows - 1  # The fault: off by one.

    def apply(self, logits):
        if self.rows:
            ban(logits, self.table[: len(logits)])
        return logits
