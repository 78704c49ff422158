"""Twin of N14 shared-state, without the fault: progress is kept by the output list."""

from __future__ import annotations

from progress_kept_by_params import ProgressKeptByParams


class TwinOfProgressKeptByParams(ProgressKeptByParams):
    def key(self, params, outputs):
        return id(outputs)
