"""Twin of F041 row-map, without the fault: both orders are stable."""

from __future__ import annotations

from unstable_sort_of_equal_keys import UnstableSortOfEqualKeys, stably_sorted


class TwinOfUnstableSortOfEqualKeys(UnstableSortOfEqualKeys):
    order_of_rows = staticmethod(stably_sorted)
