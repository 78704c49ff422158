"""Twin of F016 dispatch, without the fault: every inner processor gets one update per step."""

from __future__ import annotations

from wrapper_drops_none import WrapperDropsNone


class TwinOfWrapperDropsNone(WrapperDropsNone):
    def update_state(self, batch_update):
        self.forward(batch_update)
