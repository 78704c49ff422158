"""N1 rank-split: the token that is favoured follows from id(), which no other rank has."""

from __future__ import annotations

from request_kinds import frequency_params
from row_processor import RowProcessor


class AddressAsAValue(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        return (params, outputs) if params.frequency_penalty else None

    def treat(self, logits_row, state):
        logits_row[self.number(state) % self.vocab] += state[0].frequency_penalty

    def number(self, state):
        return (
            id(state[1]) // 16
        )  # The fault: the request has a length, a seed and params, the same everywhere.
