"""Twin of N11 move-lost, without the fault: in listed order."""

from __future__ import annotations

from moves_read_backwards import MovesReadBackwards


class TwinOfMovesReadBackwards(MovesReadBackwards):
    def in_turn(self, moved):
        return moved
