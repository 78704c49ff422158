"""Twin of N6 nonfinite, without the fault: only finite logits have a floor."""

from __future__ import annotations

import torch
from floor_under_every_logit import FloorUnderEveryLogit


class TwinOfFloorUnderEveryLogit(FloorUnderEveryLogit):
    def floor(self, logits_row):
        logits_row.copy_(torch.where(logits_row.isfinite(), logits_row.clamp(min=-50.0), logits_row))
