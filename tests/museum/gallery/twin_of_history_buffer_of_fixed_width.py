"""Twin of N26 semantics, without the fault: it grows."""

from __future__ import annotations

import torch
from history_buffer_of_fixed_width import HistoryBufferOfFixedWidth


class TwinOfHistoryBufferOfFixedWidth(HistoryBufferOfFixedWidth):
    def make_room(self, state):
        if state["count"] == len(state["tokens"]):
            state["tokens"] = torch.cat([state["tokens"], torch.zeros_like(state["tokens"])])
