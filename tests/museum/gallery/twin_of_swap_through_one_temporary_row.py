"""Twin of N8 alias-view, without the fault: a copy."""

from __future__ import annotations

from swap_through_one_temporary_row import SwapThroughOneTemporaryRow


class TwinOfSwapThroughOneTemporaryRow(SwapThroughOneTemporaryRow):
    def kept(self, row):
        return self.banned[row].clone()
