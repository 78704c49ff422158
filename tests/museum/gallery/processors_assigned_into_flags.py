"""R2 dispatch: a chained assignment writes processors into the "already updated" flags, so a moved slot misses None."""

from __future__ import annotations

from request_kinds import min_tokens_params
from row_processor import ban

from logitproof import LogitsProcessor, MoveDirectionality


class MinTokensOfOneSlot:
    def __init__(self):
        self.params = self.outputs = None
        self.waits = False

    def update(self, added=None):
        if added is not None:
            self.params, self.outputs = added
        self.waits = self.params is not None and len(self.outputs) < self.params.min_tokens


class ProcessorsAssignedIntoFlags(LogitsProcessor):
    logitproof_params = min_tokens_params

    def __init__(self, config, device, is_pin_memory):
        self.inner = [MinTokensOfOneSlot() for _ in range(config.scheduler_config.max_num_seqs)]
        self.is_updated = [False] * len(self.inner)

    def is_argmax_invariant(self):
        return False

    def exchange(self, left, right):
        inner, is_updated = self.inner, self.is_updated
        # The fault: the flags receive the processors, which are true.
        inner[left], inner[right] = is_updated[left], is_updated[right] = inner[right], inner[left]

    def update_state(self, batch_update):
        if batch_update is not None:
            for slot in batch_update.removed:
                self.inner[slot] = MinTokensOfOneSlot()
            for slot, params, _prompt, outputs in batch_update.added:
                self.inner[slot].update((params, outputs))
                self.is_updated[slot] = True
            for source, destination, how in batch_update.moved:
                self.exchange(source, destination)
                if how is MoveDirectionality.UNIDIRECTIONAL:
                    self.inner[source] = MinTokensOfOneSlot()
        for slot, inner in enumerate(self.inner):
            if not self.is_updated[slot]:
                inner.update()
        self.is_updated = [False] * len(self.inner)

    def apply(self, logits):
        for inner, logits_row in zip(self.inner, logits, strict=False):
            if inner.waits:
                ban(logits_row, inner.params.all_stop_token_ids)
        return logits
