"""F037 row-map: a table of bad tokens by row is read as a flat list, so every request gets request 0's."""

from __future__ import annotations

import math

from request_kinds import bad_token_params
from row_processor import RowProcessor


class RowStrideForgotten(RowProcessor):
    logitproof_params = bad_token_params

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def apply(self, logits):
        width = max(map(len, self.rows.values()), default=0)
        flat = []
        for row in range(len(logits)):
            tokens = self.rows.get(row, [])
            flat += [*tokens, *[-1] * (width - len(tokens))]
        for row in range(len(logits)):
            for place in range(width):
                token = flat[place]  # The fault: the row's part begins at row * width.
                if token >= 0:
                    logits[row, token] = -math.inf
        return logits
