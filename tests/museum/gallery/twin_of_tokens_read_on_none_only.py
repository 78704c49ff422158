"""Twin of N22 history-view, without the fault: they are read in every step."""

from __future__ import annotations

from tokens_read_on_none_only import TokensReadOnNoneOnly


class TwinOfTokensReadOnNoneOnly(TokensReadOnNoneOnly):
    def is_due(self, batch_update):
        return True
