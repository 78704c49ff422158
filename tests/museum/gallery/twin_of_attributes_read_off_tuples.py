"""Twin of R3 silent-drop, without the fault: tuples are read as tuples."""

from __future__ import annotations

from attributes_read_off_tuples import AttributesReadOffTuples


class TwinOfAttributesReadOffTuples(AttributesReadOffTuples):
    def is_understood(self, change):
        return True
