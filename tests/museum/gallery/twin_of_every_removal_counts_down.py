"""Twin of N16 flag-drift, without the fault: the rows themselves are asked."""

from __future__ import annotations

from every_removal_counts_down import EveryRemovalCountsDown


class TwinOfEveryRemovalCountsDown(EveryRemovalCountsDown):
    def apply(self, logits):
        self.users = len(self.rows)
        return super().apply(logits)
