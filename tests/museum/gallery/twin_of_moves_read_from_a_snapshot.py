"""Twin of N30 move-lost, without the fault: each from what the one before it has left."""

from __future__ import annotations

from moves_read_from_a_snapshot import MovesReadFromASnapshot


class TwinOfMovesReadFromASnapshot(MovesReadFromASnapshot):
    def as_it_is(self, before):
        return self.rows.copy()
