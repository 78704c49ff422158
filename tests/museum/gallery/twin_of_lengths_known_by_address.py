"""Twin of N32 rank-split, without the fault: addresses of those who have left are forgotten."""

from __future__ import annotations

from lengths_known_by_address import LengthsKnownByAddress


class TwinOfLengthsKnownByAddress(LengthsKnownByAddress):
    def forget(self, there):
        self.lengths = {place: length for place, length in self.lengths.items() if place in there}
