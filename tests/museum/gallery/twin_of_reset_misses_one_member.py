"""Twin of F084 shared-state, without the fault: every member is reset."""

from __future__ import annotations

from reset_misses_one_member import ResetMissesOneMember


class TwinOfResetMissesOneMember(ResetMissesOneMember):
    def reset(self, chain):
        super().reset(chain)
        chain.budget.reset(chain.arguments)
