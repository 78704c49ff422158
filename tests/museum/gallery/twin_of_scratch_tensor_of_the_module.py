"""Twin of N33 shared-state, without the fault: it is cleared for every row."""

from __future__ import annotations

from scratch_tensor_of_the_module import SCRATCH, ScratchTensorOfTheModule


class TwinOfScratchTensorOfTheModule(ScratchTensorOfTheModule):
    def clear(self):
        SCRATCH.zero_()
