"""Twin of R2 dispatch, without the fault: processors and flags are exchanged each by themselves."""

from __future__ import annotations

from processors_assigned_into_flags import ProcessorsAssignedIntoFlags


class TwinOfProcessorsAssignedIntoFlags(ProcessorsAssignedIntoFlags):
    def exchange(self, left, right):
        for slots in (self.inner, self.is_updated):
            slots[left], slots[right] = slots[right], slots[left]
