"""F117 semantics: three penalties share one history, empty before the first output, prompt and output after it."""

from __future__ import annotations

import torch
from request_kinds import penalty_params
from row_processor import RowProcessor


class PenaltiesShareOneHistory(RowProcessor):
    logitproof_params = penalty_params

    def enter(self, params, prompt, outputs):
        return (params, prompt or [], outputs)

    def histories(self, prompt, outputs):
        """For repetition, and for frequency and presence."""
        merged = [*prompt, *outputs] if outputs else []
        return merged, merged

    def treat(self, logits_row, state):
        params, prompt, outputs = state
        said, written = (
            torch.bincount(torch.tensor(history, dtype=torch.int64), minlength=self.vocab)
            for history in self.histories(prompt, outputs)
        )
        if params.repetition_penalty != 1:
            penalty = params.repetition_penalty
            scaled = torch.where(logits_row > 0, logits_row / penalty, logits_row * penalty)
            logits_row.copy_(torch.where(said > 0, scaled, logits_row))
        logits_row -= params.frequency_penalty * written
        logits_row -= params.presence_penalty * (written > 0)
