"""Twin of N1 rank-split, without the fault: the number follows from the outputs."""

from __future__ import annotations

from address_as_a_value import AddressAsAValue


class TwinOfAddressAsAValue(AddressAsAValue):
    def number(self, state):
        return len(state[1])
