"""Twin of F131 perf-sync, without the fault: the shapes do not depend on data."""

from __future__ import annotations

import torch
from assignment_through_a_boolean_mask import AssignmentThroughABooleanMask


class TwinOfAssignmentThroughABooleanMask(AssignmentThroughABooleanMask):
    def assign(self, logits, banned):
        logits.copy_(torch.where(banned, logits - 100.0, logits))
