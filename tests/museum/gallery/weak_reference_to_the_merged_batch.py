"""F139 leak: merged into an empty batch, the penalties keep a weak reference to the temporary batch, which dies."""

from __future__ import annotations

import weakref
from collections import Counter

from request_kinds import frequency_params
from row_processor import RowProcessor, follow


class Batch:
    """Requests by row: penalty and outputs."""

    def __init__(self, rows):
        self.rows = rows


class WeakReferenceToTheMergedBatch(RowProcessor):
    logitproof_params = frequency_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.batch = Batch(self.rows)
        self.requests_of = weakref.ref(self.batch)
        self.arrived = None

    def enter(self, params, prompt, outputs):
        return (params.frequency_penalty, outputs)

    def update_state(self, batch_update):
        self.arrived = None  # a temporary batch lives for one step
        if batch_update is None:
            return
        was_empty = not self.rows
        follow(self.rows, batch_update, self.enter)
        if was_empty and self.rows:
            self.arrived = Batch(self.rows)
            self.requests_of = weakref.ref(self.owner())

    def owner(self):
        return self.arrived  # The fault: what was merged is owned by self.batch.

    def apply(self, logits):
        batch = self.requests_of()
        requests = [] if batch is None else [batch.rows[row] for row in sorted(batch.rows)]
        for row in range(len(logits)):
            penalty, outputs = requests[row]
            for token, count in Counter(outputs).items():
                logits[row, token] -= penalty * count
        return logits
