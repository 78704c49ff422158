"""Twin of N21 history-view, without the fault: the engine's own list is kept."""

from __future__ import annotations

from outputs_copied_on_arrival import OutputsCopiedOnArrival


class TwinOfOutputsCopiedOnArrival(OutputsCopiedOnArrival):
    def history(self, outputs):
        return outputs
