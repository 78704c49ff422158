"""Twin of N2 leak, without the fault: the last hundred."""

from __future__ import annotations

from collections import deque

from lengths_of_everybody import LengthsOfEverybody


class TwinOfLengthsOfEverybody(LengthsOfEverybody):
    def __init__(self, config, device, is_pin_memory):
        super().__init__(config, device, is_pin_memory)
        self.lengths = deque(maxlen=100)
