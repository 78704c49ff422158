"""Twin of F004 move-lost, without the fault: every array of a row moves."""

from __future__ import annotations

from flag_not_moved import FlagNotMoved


class TwinOfFlagNotMoved(FlagNotMoved):
    def arrays_that_move(self):
        return (self.bad_tokens, self.is_used)
