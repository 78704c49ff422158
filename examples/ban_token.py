"""Bans one token per request. It forgets something: `logitproof fuzz examples/ban_token.py:BanToken` says what."""

from hypothesis import strategies as st

from logitproof import LogitsProcessor, MoveDirectionality, SamplingParams


class BanToken(LogitsProcessor):
    # What requests look like while fuzzing; plain requests are mixed in by the fuzzer.
    logitproof_params = st.builds(
        lambda token: SamplingParams(extra_args={"ban_token": token}), st.integers(0, 31)
    )

    def __init__(self, config, device, is_pin_memory):
        self.banned = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for slot in batch_update.removed:
            self.banned.pop(slot, None)
        for slot, params, _prompt, _outputs in batch_update.added:
            self.banned.pop(slot, None)
            if params.extra_args:
                self.banned[slot] = params.extra_args["ban_token"]
        for source, destination, how in batch_update.moved:
            if how is MoveDirectionality.SWAP:
                mine, other = self.banned.pop(source, None), self.banned.pop(destination, None)
                if mine is not None:
                    self.banned[destination] = mine
                if other is not None:
                    self.banned[source] = other
            elif source in self.banned:
                self.banned[destination] = self.banned.pop(source)

    def apply(self, logits):
        for slot, token in self.banned.items():
            logits[slot, token] = float("-inf")
        return logits
