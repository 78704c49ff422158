"""Twin of F117 semantics, without the fault: repetition counts prompt and output, the others output."""

from __future__ import annotations

from penalties_share_one_history import PenaltiesShareOneHistory


class TwinOfPenaltiesShareOneHistory(PenaltiesShareOneHistory):
    def histories(self, prompt, outputs):
        return [*prompt, *outputs], outputs
