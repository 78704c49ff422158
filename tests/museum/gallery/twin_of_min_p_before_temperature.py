"""Twin of F122 semantics, without the fault: temperature comes first."""

from __future__ import annotations

from min_p_before_temperature import MinPBeforeTemperature


class TwinOfMinPBeforeTemperature(MinPBeforeTemperature):
    def treat(self, logits_row, state):
        min_p, temperature = state
        logits_row /= temperature
        self.cut(logits_row, min_p)
