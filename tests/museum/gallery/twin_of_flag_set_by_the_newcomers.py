"""Twin of N7 flag-drift, without the fault: whoever is there."""

from __future__ import annotations

from flag_set_by_the_newcomers import FlagSetByTheNewcomers


class TwinOfFlagSetByTheNewcomers(FlagSetByTheNewcomers):
    def is_used(self, batch_update):
        return bool(self.rows)
