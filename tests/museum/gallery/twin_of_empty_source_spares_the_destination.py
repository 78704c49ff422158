"""Twin of R5 stale-slot, without the fault: whatever arrives, what was there is gone."""

from __future__ import annotations

from empty_source_spares_the_destination import EmptySourceSparesTheDestination


class TwinOfEmptySourceSparesTheDestination(EmptySourceSparesTheDestination):
    def vacate(self, destination, arriving, how):
        return self.rows.pop(destination, None)
