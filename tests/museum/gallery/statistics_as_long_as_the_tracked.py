"""R4 row-map: a statistics tensor is as long as the tracked requests but read by row; a swap fails too."""

from __future__ import annotations

import math

import torch
from request_kinds import min_p_params
from row_processor import RowProcessor

from logitproof import MoveDirectionality


class StatisticsAsLongAsTheTracked(RowProcessor):
    logitproof_params = min_p_params

    def is_argmax_invariant(self):
        return True

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.rows.pop(row, None)
        for row, params, _prompt, _outputs in batch_update.added:
            self.rows.pop(row, None)
            if params.min_p:
                self.rows[row] = params.min_p
        for source, destination, how in batch_update.moved:
            if how is MoveDirectionality.SWAP:
                self.rows[source], self.rows[destination] = self.rows[destination], self.rows[source]
            else:
                self.rows.pop(destination, None)
                if source in self.rows:
                    self.rows[destination] = self.rows.pop(source)

    def apply(self, logits):
        highest = torch.zeros(len(self.rows))
        for row in self.rows:
            highest[row] = logits[row].max()
        for row, min_p in self.rows.items():
            logits[row].masked_fill_(logits[row] < highest[row] + math.log(min_p), -math.inf)
        return logits
