"""Twin of F062 history-view, without the fault: its own progress is a length, which does not lag."""

from __future__ import annotations

from forcing_decided_by_the_last_token import ForcingDecidedByTheLastToken
from row_processor import ban


class TwinOfForcingDecidedByTheLastToken(ForcingDecidedByTheLastToken):
    def treat(self, logits_row, state):
        arguments, outputs = state
        if len(outputs) == arguments["after"]:
            ban(logits_row, {*range(self.vocab)} - {arguments["forced"]})
