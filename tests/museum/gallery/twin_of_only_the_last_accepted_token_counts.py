"""Twin of F044 spec-rows, without the fault: every accepted token counts."""

from __future__ import annotations

from only_the_last_accepted_token_counts import OnlyTheLastAcceptedTokenCounts


class TwinOfOnlyTheLastAcceptedTokenCounts(OnlyTheLastAcceptedTokenCounts):
    def accepted(self, tokens):
        return tokens
