"""F032 row-map: the loop walks the requests that have bad words and takes their rows from the start of the logits."""

from __future__ import annotations

from request_kinds import bad_token_params
from row_processor import RowProcessor, ban


class BadWordsWalkTheirOwnRows(RowProcessor):
    logitproof_params = bad_token_params

    def enter(self, params, prompt, outputs):
        return [token for word in params.bad_words for token in word] or None

    def apply(self, logits):
        for place, row in enumerate(sorted(self.rows)):
            ban(logits[self.logits_row(place, row)], self.rows[row])
        return logits

    def logits_row(self, place, row):
        return place  # The fault: the place among those with bad words is no row.
