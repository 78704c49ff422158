"""Twin of N4 fast-path, without the fault: the claim holds for every request."""

from __future__ import annotations

from claim_asks_who_is_there import ClaimAsksWhoIsThere


class TwinOfClaimAsksWhoIsThere(ClaimAsksWhoIsThere):
    def is_argmax_invariant(self):
        return False
