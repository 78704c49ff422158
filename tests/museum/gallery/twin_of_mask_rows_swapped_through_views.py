"""Twin of F001 alias-view, without the fault: the rows are gathered into a copy first."""

from __future__ import annotations

from mask_rows_swapped_through_views import MaskRowsSwappedThroughViews


class TwinOfMaskRowsSwappedThroughViews(MaskRowsSwappedThroughViews):
    def swap(self, left, right):
        self.banned[[left, right]] = self.banned[[right, left]]
