"""Twin of F139 leak, without the fault: the survivor of a merge is the owner."""

from __future__ import annotations

from weak_reference_to_the_merged_batch import WeakReferenceToTheMergedBatch


class TwinOfWeakReferenceToTheMergedBatch(WeakReferenceToTheMergedBatch):
    def owner(self):
        return self.batch
