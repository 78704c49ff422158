"""Only some tokens are allowed; a dense mask that follows the batch."""

import torch
from vllm.v1.sample.logits_processor import LogitsProcessor, MoveDirectionality


class AllowedTokens(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        slots = vllm_config.scheduler_config.max_num_seqs
        vocab = vllm_config.model_config.get_vocab_size()
        self.mask = torch.zeros((slots, vocab), dtype=torch.bool, device=device)
        self.in_use = torch.zeros(slots, dtype=torch.bool, device=device)

    def is_argmax_invariant(self):
        return False

    def _clear(self, index):
        self.mask[index] = False
        self.in_use[index] = False

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for index in batch_update.removed:
            self._clear(index)
        for index, params, _, _ in batch_update.added:
            self._clear(index)
            allowed = params.extra_args.get("allowed_ids") if params.extra_args else None
            if allowed:
                self.mask[index] = True
                self.mask[index, torch.tensor(allowed, dtype=torch.long)] = False
                self.in_use[index] = True
        for source, destination, direction in batch_update.moved:
            self._move(source, destination, direction)

    def _move(self, source, destination, direction):
        if direction is MoveDirectionality.SWAP:
            self.mask[[source, destination]] = self.mask[[destination, source]]
            self.in_use[[source, destination]] = self.in_use[[destination, source]]
        else:
            self.mask[destination] = self.mask[source]
            self.in_use[destination] = self.in_use[source]
            self._clear(source)

    def apply(self, logits):
        if not self.in_use.any():
            return logits
        return logits.masked_fill(self.mask[: logits.shape[0]], float("-inf"))


class AllowedTokensViews(AllowedTokens):
    """Faulty: swaps rows through views, so that both end up alike."""

    def _move(self, source, destination, direction):
        if direction is MoveDirectionality.SWAP:
            self.mask[source], self.mask[destination] = self.mask[destination], self.mask[source]
            self.in_use[[source, destination]] = self.in_use[[destination, source]]
        else:
            super()._move(source, destination, direction)
