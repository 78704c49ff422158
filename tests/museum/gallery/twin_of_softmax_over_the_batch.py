"""Twin of N28 row-map, without the fault: over the tokens."""

from __future__ import annotations

from softmax_over_the_batch import SoftmaxOverTheBatch


class TwinOfSoftmaxOverTheBatch(SoftmaxOverTheBatch):
    axis = 1
