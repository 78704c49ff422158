"""A flag turns off the newline token, found with vLLM's tokenizer functions."""

import torch
from vllm.config import VllmConfig
from vllm.tokenizers import cached_tokenizer_from_config
from vllm.v1.sample.logits_processor import LogitsProcessor, MoveDirectionality


class SingleLine(LogitsProcessor):
    def __init__(self, vllm_config: VllmConfig, device: torch.device, is_pin_memory: bool):
        tokenizer = cached_tokenizer_from_config(model_config=vllm_config.model_config)
        self.newline = tokenizer.encode("\n", add_special_tokens=False)[-1]
        self.single = set()

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if not batch_update:
            return
        self.single.difference_update(batch_update.removed)
        for index, params, _, _ in batch_update.added:
            self.single.discard(index)
            if params.extra_args and params.extra_args.get("single_line") is True:
                self.single.add(index)
        for a, b, direction in batch_update.moved:
            had_a, had_b = a in self.single, b in self.single
            self.single -= {a, b}
            if had_a:
                self.single.add(b)
            if had_b and direction == MoveDirectionality.SWAP:
                self.single.add(a)

    def apply(self, logits):
        if self.single:
            logits[sorted(self.single), self.newline] = float("-inf")
        return logits


class SingleLineForAll(SingleLine):
    """Faulty: one request with the flag turns the newline off for all."""

    def apply(self, logits):
        if self.single:
            logits[:, self.newline] = float("-inf")
        return logits
