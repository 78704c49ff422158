"""Twin of F146 silent-drop, without the fault: a prefill's token is sampled like every other."""

from __future__ import annotations

from first_token_is_always_greedy import FirstTokenIsAlwaysGreedy


class TwinOfFirstTokenIsAlwaysGreedy(FirstTokenIsAlwaysGreedy):
    def is_greedy(self, state):
        return False
