"""R5 stale-slot: a one-way move of an untracked request leaves at its destination what a finished one had there."""

from __future__ import annotations

from request_kinds import bad_token_args
from row_processor import RowProcessor, ban

from logitproof import MoveDirectionality


class EmptySourceSparesTheDestination(RowProcessor):
    logitproof_params = bad_token_args

    def update_state(self, batch_update):
        if batch_update is None:
            return
        rows = self.rows
        for row in batch_update.removed:
            rows.pop(row, None)
        for row, params, _prompt, _outputs in batch_update.added:
            rows.pop(row, None)
            if params.extra_args:
                rows[row] = params.extra_args["bad_tokens"]
        for source, destination, how in batch_update.moved:
            left = rows.pop(source, None)
            right = self.vacate(destination, left, how)
            if left is not None:
                rows[destination] = left
            if right is not None and how is MoveDirectionality.SWAP:
                rows[source] = right

    def vacate(self, destination, arriving, how):
        if arriving is None and how is MoveDirectionality.UNIDIRECTIONAL:
            return None  # The fault: whatever arrives, what was there is gone.
        return self.rows.pop(destination, None)

    def treat(self, logits_row, bad_tokens):
        ban(logits_row, bad_tokens)
