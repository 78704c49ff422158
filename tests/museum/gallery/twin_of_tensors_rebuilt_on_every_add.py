"""Twin of F129 perf-sync, without the fault: an Add that changes nothing for us is no reason to build."""

from __future__ import annotations

from tensors_rebuilt_on_every_add import TensorsRebuiltOnEveryAdd


class TwinOfTensorsRebuiltOnEveryAdd(TensorsRebuiltOnEveryAdd):
    def has_adds(self, batch_update):
        return False
