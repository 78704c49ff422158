"""Twin of N29 lifecycle, without the fault: all of its tokens count."""

from __future__ import annotations

from budget_starts_at_arrival import BudgetStartsAtArrival


class TwinOfBudgetStartsAtArrival(BudgetStartsAtArrival):
    def spent(self, outputs):
        return 0
