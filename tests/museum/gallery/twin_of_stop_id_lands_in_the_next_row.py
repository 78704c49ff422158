"""Twin of F101 id-range, without the fault: ids outside the row are refused when the request arrives."""

from __future__ import annotations

from stop_id_lands_in_the_next_row import StopIdLandsInTheNextRow


class TwinOfStopIdLandsInTheNextRow(StopIdLandsInTheNextRow):
    @classmethod
    def validate_params(cls, sampling_params):
        for token in (sampling_params.extra_args or {}).get("stop_ids", ()):
            if not 0 <= token < 32:
                raise ValueError(f"stop id {token} is not one of the 32 columns")
