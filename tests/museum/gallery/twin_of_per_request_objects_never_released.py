"""Twin of F136 leak, without the fault: what belongs to a request that is gone is released."""

from __future__ import annotations

from per_request_objects_never_released import PerRequestObjectsNeverReleased


class TwinOfPerRequestObjectsNeverReleased(PerRequestObjectsNeverReleased):
    def update_state(self, batch_update):
        super().update_state(batch_update)
        live = {*self.rows.values()}
        self.object_of = {request: each for request, each in self.object_of.items() if request in live}
