"""Twin of F026 list-misalign, without the fault: the size is the one before the merge."""

from __future__ import annotations

from requests_merged_before_their_penalties import RequestsMergedBeforeTheirPenalties


class TwinOfRequestsMergedBeforeTheirPenalties(RequestsMergedBeforeTheirPenalties):
    def size_of_the_old(self, old):
        return old
