"""Twin of F092 nonfinite, without the fault: min-tokens yields where it would ban the last token."""

from __future__ import annotations

from min_tokens_meets_a_finished_grammar import MinTokensMeetsAFinishedGrammar
from row_processor import ban


class TwinOfMinTokensMeetsAFinishedGrammar(MinTokensMeetsAFinishedGrammar):
    def ban_end(self, logits_row, end):
        ban(logits_row, [end])
