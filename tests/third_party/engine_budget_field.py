"""vLLM's own `thinking_token_budget` field, and its reasoning configuration."""

import torch
from vllm.v1.sample.logits_processor import BatchUpdate, LogitsProcessor, MoveDirectionality


class EngineBudget(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        reasoning = getattr(vllm_config, "reasoning_config", None)
        self.enabled = reasoning is not None
        self.end_ids = list(reasoning.reasoning_end_token_ids) if self.enabled else []
        self.states: dict[int, tuple[int, list[int]]] = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update: BatchUpdate | None):
        if not self.enabled or not batch_update:
            return
        for index in batch_update.removed:
            self.states.pop(index, None)
        for index, params, _prompt_ids, output_ids in batch_update.added:
            if params.thinking_token_budget is not None:
                self.states[index] = (params.thinking_token_budget, output_ids)
            else:
                self.states.pop(index, None)
        for a, b, direction in batch_update.moved:
            self._move(a, b, direction)

    def _move(self, a, b, direction):
        one, other = self.states.pop(a, None), self.states.pop(b, None)
        if one is not None:
            self.states[b] = one
        if other is not None and direction == MoveDirectionality.SWAP:
            self.states[a] = other

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        for index, (budget, outputs) in self.states.items():
            if len(outputs) >= budget and self.end_ids[0] not in outputs:
                logits[index] = float("-inf")
                logits[index, self.end_ids[0]] = 0.0
        return logits


class EngineBudgetSwapped(EngineBudget):
    """Faulty: a swap with an empty partner loses the state."""

    def _move(self, a, b, direction):
        if direction == MoveDirectionality.SWAP and a in self.states and b in self.states:
            self.states[a], self.states[b] = self.states[b], self.states[a]
        elif direction == MoveDirectionality.SWAP:
            self.states.pop(a, None), self.states.pop(b, None)
        else:
            super()._move(a, b, direction)
