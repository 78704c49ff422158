"""Twin of N10 spec-rows, without the fault: as many as the list has more."""

from __future__ import annotations

from one_token_a_step_is_counted import OneTokenAStepIsCounted


class TwinOfOneTokenAStepIsCounted(OneTokenAStepIsCounted):
    def new(self, grown):
        return grown
