"""F007 move-lost: the row map always follows a Move, the content only if nobody in the batch asks for logprobs."""

from __future__ import annotations

from hypothesis import strategies as st
from request_kinds import extra, tokens
from row_processor import RowProcessor, ban

from logitproof import MoveDirectionality, SamplingParams


def some_ask_for_logprobs(vocab_size):
    bad = extra(bad_tokens=st.lists(tokens(vocab_size), min_size=1, max_size=2))
    return st.tuples(bad, st.sampled_from((None, 3))).map(
        lambda drawn: SamplingParams(extra_args=drawn[0].extra_args, logprobs=drawn[1])
    )


class MapMovesWithoutTheContent(RowProcessor):
    logitproof_params = some_ask_for_logprobs

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.params = [None] * self.slots
        self.content = [()] * self.slots

    def samples_on_device(self):
        return all(params is None or params.logprobs is None for params in self.params)

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for row in batch_update.removed:
            self.params[row], self.content[row] = None, ()
        for row, params, _prompt, _outputs in batch_update.added:
            self.params[row], self.content[row] = params, (params.extra_args or {}).get("bad_tokens", ())
        for source, destination, how in batch_update.moved:
            # The fault: both move, or neither.
            for array in (self.params, self.content) if self.samples_on_device() else (self.params,):
                array[source], array[destination] = array[destination], array[source]
            if how is MoveDirectionality.UNIDIRECTIONAL:
                self.params[source], self.content[source] = None, ()

    def apply(self, logits):
        for logits_row, bad_tokens in zip(logits, self.content, strict=False):
            ban(logits_row, bad_tokens)
        return logits
