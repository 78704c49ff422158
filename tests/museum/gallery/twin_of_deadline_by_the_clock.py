"""Twin of N24 rank-split, without the fault: its tokens are counted."""

from __future__ import annotations

from deadline_by_the_clock import DeadlineByTheClock


class TwinOfDeadlineByTheClock(DeadlineByTheClock):
    def enter(self, params, prompt, outputs):
        most = (params.extra_args or {}).get("most")
        return None if most is None else (most % 3, outputs)

    def now(self, outputs):
        return len(outputs)
