"""Twin of N19 move-lost, without the fault: it is built after every update."""

from __future__ import annotations

from table_kept_after_a_swap import TableKeptAfterASwap


class TwinOfTableKeptAfterASwap(TableKeptAfterASwap):
    def changes(self, batch_update):
        return True
