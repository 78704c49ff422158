"""Ends thoughts that are too long; ids come with the request."""

from typing import Any

import torch
from vllm.v1.sample.logits_processor import BatchUpdate, LogitsProcessor, MoveDirectionality


class BudgetByRequest(LogitsProcessor):
    def __init__(self, vllm_config, device, is_pin_memory):
        self.states: dict[int, dict[str, Any]] = {}

    def is_argmax_invariant(self):
        return False

    def _entry(self, params, output_ids):
        args = params.extra_args or {}
        if "max_think_tokens" not in args:
            return None
        return {
            "budget": int(args["max_think_tokens"]),
            "end": list(args.get("think_end_ids", [5])),
            "outputs": output_ids,
        }

    def update_state(self, batch_update: BatchUpdate | None):
        if batch_update is None:
            return
        for index in batch_update.removed:
            self.states.pop(index, None)
        for index, params, _prompt, outputs in batch_update.added:
            entry = self._entry(params, outputs)
            if entry is None:
                self.states.pop(index, None)
            else:
                self.states[index] = entry
        for a, b, direction in batch_update.moved:
            self._move(a, b, direction)

    def _move(self, a, b, direction):
        if direction == MoveDirectionality.SWAP:
            first, second = self.states.pop(a, None), self.states.pop(b, None)
            if first is not None:
                self.states[b] = first
            if second is not None:
                self.states[a] = second
        else:
            self.states.pop(b, None)
            if a in self.states:
                self.states[b] = self.states.pop(a)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        for index, state in self.states.items():
            over = len(state["outputs"]) - state["budget"]
            if 0 <= over < len(state["end"]):
                token = state["end"][over]
                logits[index].fill_(-float("inf"))
                logits[index, token] = 0.0
        return logits


class BudgetKeptAtDestination(BudgetByRequest):
    """Faulty: a request without a budget that is moved takes over the budget of the slot it moves to."""

    def _move(self, a, b, direction):
        if direction == MoveDirectionality.SWAP:
            super()._move(a, b, direction)
        elif a in self.states:
            self.states[b] = self.states.pop(a)
