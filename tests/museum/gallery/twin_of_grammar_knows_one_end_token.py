"""Twin of F114 semantics, without the fault: the grammar gates the whole stop set."""

from __future__ import annotations

from grammar_knows_one_end_token import GrammarKnowsOneEndToken


class TwinOfGrammarKnowsOneEndToken(GrammarKnowsOneEndToken):
    def end_tokens(self, params):
        return params.all_stop_token_ids
