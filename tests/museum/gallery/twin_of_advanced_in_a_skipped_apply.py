"""Twin of N5 fast-path, without the fault: the output list says how much has come out."""

from __future__ import annotations

from advanced_in_a_skipped_apply import AdvancedInASkippedApply


class TwinOfAdvancedInASkippedApply(AdvancedInASkippedApply):
    def said(self, state):
        return len(state["outputs"])
