"""F012 flag-drift: histories are collected once the loop has met a penalty, so later entries shift."""

from __future__ import annotations

from collections import Counter

from request_kinds import frequency_params
from row_processor import RowProcessor


class HistoryCollectedFromTheFirstPenaltyOn(RowProcessor):
    logitproof_params = frequency_params

    def enter(self, params, prompt, outputs):
        return (params.frequency_penalty, outputs)

    def is_needed(self):
        return False  # The fault: what the loop finds out later holds for the rows before it too.

    def apply(self, logits):
        needs_penalties, histories = self.is_needed(), []
        for row in range(len(logits)):
            penalty, outputs = self.rows[row]
            needs_penalties |= penalty != 0
            if needs_penalties:
                histories.append(outputs)
        for row, history in enumerate(histories):
            for token, count in Counter(history).items():
                logits[row, token] -= self.rows[row][0] * count
        return logits
