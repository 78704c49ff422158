"""Twin of F094 nonfinite, without the fault: what top-k leaves sums to 1 again."""

from __future__ import annotations

from top_p_without_renormalising import TopPWithoutRenormalising


class TwinOfTopPWithoutRenormalising(TopPWithoutRenormalising):
    def between_the_filters(self, share):
        return share / share.sum()
