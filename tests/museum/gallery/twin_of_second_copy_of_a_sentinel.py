"""Twin of F091 nonfinite, without the fault: one value means greedy."""

from __future__ import annotations

from second_copy_of_a_sentinel import SecondCopyOfASentinel


class TwinOfSecondCopyOfASentinel(SecondCopyOfASentinel):
    greedy = 0
