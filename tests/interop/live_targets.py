"""What the live tests load into vLLM: a faulty processor under a shadow, and probes that keep the rows they see."""

from __future__ import annotations

from vllm.v1.sample.logits_processor import LogitsProcessor as VllmLogitsProcessor

from logitproof import LogitsProcessor
from logitproof.record import Shadow
from logitproof.record.followed_batch import FollowedBatch
from logitproof.vllm_load import for_vllm


class ForgetsMoves(LogitsProcessor):
    """Bans the tokens of `logit_bias`, and does not follow moves: state stays at the slot, not with the request."""

    def __init__(self, config, device, is_pin_memory):
        self.banned = {}

    def is_argmax_invariant(self):
        return False

    def update_state(self, batch_update):
        if batch_update is None:
            return
        for index in batch_update.removed:
            self.banned.pop(index, None)
        for index, params, _, _ in batch_update.added:
            self.banned.pop(index, None)
            if params.logit_bias:
                self.banned[index] = list(params.logit_bias)
        self.banned = {row: who for row, who in self.banned.items() if row < batch_update.batch_size}

    def apply(self, logits):
        for row, tokens in self.banned.items():
            logits[row, tokens] = float("-inf")
        return logits


Watched = Shadow.around(for_vllm(ForgetsMoves), rate=1.0)

SEEN = {}
FIELDS = ("min_p", "min_tokens", "logit_bias", "temperature")


class Probe(VllmLogitsProcessor):
    """Changes nothing; keeps each row with the request that it belongs to."""

    name = ""
    invariant = False

    def __init__(self, vllm_config, device, is_pin_memory):
        self.batch = FollowedBatch()
        self.step = 0
        self.rows = SEEN.setdefault(self.name, [])

    def is_argmax_invariant(self):
        return self.invariant

    def update_state(self, batch_update):
        self.step += 1
        if batch_update is not None:
            self.batch.follow(batch_update, self.step)

    def apply(self, logits):
        for slot, request in enumerate(self.batch.slots):
            fields = {name: getattr(request.params, name) for name in FIELDS}
            stops = sorted(request.params.all_stop_token_ids)
            state = [self.step, request.request, fields, stops, request.prompt, list(request.outputs)]
            self.rows.append([*state, logits[slot].tolist()])
        return logits


def probe(name, invariant=False):
    """A probe class of its own, since vLLM makes one instance per class named."""
    return type(name, (Probe,), {"name": name, "invariant": invariant})


BeforeMinTokens = probe("BeforeMinTokens")
AfterMinTokens = probe("AfterMinTokens")
AfterLogitBias = probe("AfterLogitBias")
BeforeMinP = probe("BeforeMinP", invariant=True)
AfterMinP = probe("AfterMinP", invariant=True)


def seen():
    """All rows by probe."""
    return SEEN
