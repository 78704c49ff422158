"""F136 leak: the objects made for a request, tensors in them, are kept by request and never released."""

from __future__ import annotations

import torch
from request_kinds import bad_token_params
from row_processor import RowProcessor, ban


class BadTokens:
    def __init__(self, params, outputs, vocab):
        self.params, self.outputs = params, outputs
        self.mask = torch.zeros(vocab, dtype=torch.bool)
        self.mask[[token for word in params.bad_words for token in word]] = True


class PerRequestObjectsNeverReleased(RowProcessor):
    logitproof_params = bad_token_params

    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.object_of = {}

    def enter(self, params, prompt, outputs):
        if not params.bad_words:
            return None
        request = id(outputs)
        self.object_of.setdefault(request, BadTokens(params, outputs, self.vocab))
        return request

    def treat(self, logits_row, request):
        ban(logits_row, self.object_of[request].mask)
