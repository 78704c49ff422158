"""Twin of N18 stale-slot, without the fault: it is built after every update."""

from __future__ import annotations

from table_kept_after_a_removal import TableKeptAfterARemoval


class TwinOfTableKeptAfterARemoval(TableKeptAfterARemoval):
    def changes(self, batch_update):
        return True
