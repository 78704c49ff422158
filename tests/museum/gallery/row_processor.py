"""What the exhibits share, all of it right: an update replayed by C1 on row states, and a ban that empties no row."""

from __future__ import annotations

import math

import torch

from logitproof import LogitsProcessor, MoveDirectionality


def follow(rows, batch_update, enter):
    """Replay an update on a dict of row to state. `enter` makes a newcomer's state; None: it does not use us."""
    if batch_update is None:
        return
    for row in batch_update.removed:
        rows.pop(row, None)
    for row, params, prompt, outputs in batch_update.added:
        rows.pop(row, None)
        state = enter(params, prompt, outputs)
        if state is not None:
            rows[row] = state
    for source, destination, how in batch_update.moved:
        left, right = rows.pop(source, None), rows.pop(destination, None)
        if left is not None:
            rows[destination] = left
        if right is not None and how is MoveDirectionality.SWAP:
            rows[source] = right


def ban(logits, banned):
    """Ban tokens in place, except in a row that would lose its last finite logit (D8). banned: a mask, or token ids."""
    if isinstance(banned, torch.Tensor):
        after = logits.masked_fill(banned, -math.inf)
    else:
        after = logits.clone()
        after[..., list(banned)] = -math.inf
    lives = after.isfinite().any(dim=-1, keepdim=True)
    return logits.copy_(torch.where(lives, after, logits))


class RowProcessor(LogitsProcessor):
    """A state per row that uses it: `enter` makes it, `advance` follows a step, `treat` changes the row in place."""

    def __init__(self, config, device, is_pin_memory):
        self.slots = config.scheduler_config.max_num_seqs
        self.vocab = config.model_config.get_vocab_size()
        self.rows = {}

    def is_argmax_invariant(self):
        return False

    def enter(self, params, prompt, outputs):
        return None

    def advance(self, state):
        return None

    def treat(self, logits_row, state):
        return None

    def update_state(self, batch_update):
        follow(self.rows, batch_update, self.enter)
        for state in self.rows.values():
            self.advance(state)

    def apply(self, logits):
        for row, state in self.rows.items():
            self.treat(logits[row], state)
        return logits
