"""F087 fast-path: an all-greedy batch is sampled at once, though a processor could change the argmax."""

from __future__ import annotations

from request_kinds import bad_token_args, greedy_or_random
from row_processor import RowProcessor, ban


def bad_tokens_greedy_or_random(vocab_size):
    return greedy_or_random(bad_token_args(vocab_size))


class AllGreedyTakesTheArgmax(RowProcessor):
    logitproof_params = bad_tokens_greedy_or_random

    def enter(self, params, prompt, outputs):
        return (params, (params.extra_args or {}).get("bad_tokens", ()))

    def takes_the_argmax_now(self):
        return all(
            params.is_greedy for params, _ in self.rows.values()
        )  # The fault: and nobody has bad tokens.

    def apply(self, logits):
        return logits if self.takes_the_argmax_now() else super().apply(logits)

    def treat(self, logits_row, state):
        ban(logits_row, state[1])
