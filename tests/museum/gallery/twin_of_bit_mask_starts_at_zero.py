"""Twin of F027 mixed-default, without the fault: all bits are set where nothing was said."""

from __future__ import annotations

from bit_mask_starts_at_zero import BitMaskStartsAtZero


class TwinOfBitMaskStartsAtZero(BitMaskStartsAtZero):
    nothing_said = -1
