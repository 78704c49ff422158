"""Twin of F087 fast-path, without the fault: the shortcut asks whether a processor could change the argmax."""

from __future__ import annotations

from all_greedy_takes_the_argmax import AllGreedyTakesTheArgmax


class TwinOfAllGreedyTakesTheArgmax(AllGreedyTakesTheArgmax):
    def takes_the_argmax_now(self):
        return super().takes_the_argmax_now() and not any(bad_tokens for _, bad_tokens in self.rows.values())
