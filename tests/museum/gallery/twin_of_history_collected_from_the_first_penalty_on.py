"""Twin of F012 flag-drift, without the fault: the need is known before the loop."""

from __future__ import annotations

from history_collected_from_the_first_penalty_on import HistoryCollectedFromTheFirstPenaltyOn


class TwinOfHistoryCollectedFromTheFirstPenaltyOn(HistoryCollectedFromTheFirstPenaltyOn):
    def is_needed(self):
        return any(penalty for penalty, _ in self.rows.values())
