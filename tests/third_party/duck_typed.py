"""A processor by its methods only, told in vLLM's types."""

import torch
from vllm.v1.sample.logits_processor import MoveDirectionality


class Duck:
    def __init__(self, max_num_reqs: int):
        self.tokens = [None] * max_num_reqs

    def update_state(self, update):
        if update is None:
            return
        for index in update.removed:
            self.tokens[index] = None
        for index, params, _, _ in update.added:
            self.tokens[index] = (params.extra_args or {}).get("boost_token")
        for a, b, how in update.moved:
            self.tokens[a], self.tokens[b] = (
                (self.tokens[b], self.tokens[a]) if how == MoveDirectionality.SWAP else (None, self.tokens[a])
            )

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        for index in range(len(logits)):
            if self.tokens[index] is not None:
                logits[index, self.tokens[index]] += 2.0
        return logits


class DuckDiesOnMoves(Duck):
    """Faulty: leaves the token at the source of a one-way move, and forgets swaps."""

    def update_state(self, update):
        if update is None:
            return
        for index in update.removed:
            self.tokens[index] = None
        for index, params, _, _ in update.added:
            self.tokens[index] = (params.extra_args or {}).get("boost_token")
