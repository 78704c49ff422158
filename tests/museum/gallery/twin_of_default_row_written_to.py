"""Twin of N15 shared-state, without the fault: every request gets a copy."""

from __future__ import annotations

from default_row_written_to import DefaultRowWrittenTo


class TwinOfDefaultRowWrittenTo(DefaultRowWrittenTo):
    def empty_mask(self):
        return self.nothing.clone()
