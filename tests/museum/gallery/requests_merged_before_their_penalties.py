"""F026 list-misalign: a merge extends the request list first, and sizes the old penalties by the list it finds then."""

from __future__ import annotations

import torch
from request_kinds import frequency_params
from row_processor import RowProcessor, follow

from logitproof import BatchUpdate


class RequestsMergedBeforeTheirPenalties(RowProcessor):
    logitproof_params = frequency_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.penalties = None  # by row; None while nobody needs them

    def enter(self, params, prompt, outputs):
        return (params.frequency_penalty, outputs)

    def update_state(self, batch_update):
        if batch_update is None:
            return
        old = len(self.rows)
        arriving = [params.frequency_penalty for index, params, *_ in batch_update.added if index >= old]
        for index, params, _prompt, _outputs in batch_update.added:
            if index < old:
                self.replace(index, params.frequency_penalty, old)
        follow(self.rows, BatchUpdate(0, [], batch_update.added, []), self.enter)
        if self.penalties is not None or any(arriving):
            left = torch.zeros(self.size_of_the_old(old)) if self.penalties is None else self.penalties
            self.penalties = torch.cat([left, torch.tensor(arriving)])
        follow(self.rows, BatchUpdate(0, batch_update.removed, [], batch_update.moved), self.enter)
        if self.penalties is not None:
            for (
                source,
                destination,
                _how,
            ) in batch_update.moved:  # what a one-way move leaves is cut off below
                self.penalties[[source, destination]] = self.penalties[[destination, source]]
            if batch_update.batch_size < old + len(arriving):
                self.penalties = self.penalties[: batch_update.batch_size]
            if not self.penalties.any():
                self.penalties = None

    def replace(self, index, penalty, size):
        if self.penalties is None and penalty:
            self.penalties = torch.zeros(size)
        if self.penalties is not None:
            self.penalties[index] = penalty

    def size_of_the_old(self, old):
        return len(self.rows)  # The fault: the newcomers are in it already.

    def apply(self, logits):
        if self.penalties is None:
            return logits
        counts = torch.zeros_like(logits)
        for row, (_penalty, outputs) in self.rows.items():
            for token in outputs:
                counts[row, token] += 1
        return logits.sub_(self.penalties.to(logits.dtype).unsqueeze(1) * counts)
