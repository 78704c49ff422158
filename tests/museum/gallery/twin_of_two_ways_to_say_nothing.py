"""Twin of F024 list-misalign, without the fault: one encoding of nothing."""

from __future__ import annotations

from two_ways_to_say_nothing import TwoWaysToSayNothing


class TwinOfTwoWaysToSayNothing(TwoWaysToSayNothing):
    nothing = ()
