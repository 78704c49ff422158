"""Twin of F101 id-range, without the fault: ids outside the row are refused when the request arrives."""

from __future__ import annotations

from stop_id_lands_in_the_next_row import StopIdLandsInTheNextRow


class TwinOfStopIdLandsInTheNextRow(StopIdLandsInTheNextRow):
    @classmethod
    def validate_params(cls, sampling_params):
        arguments = sampling_params.extra_args or {"stop_ids": [], "least": 0}
        stop_ids, least = arguments["stop_ids"], arguments["least"]
        if not isinstance(stop_ids, list) or type(least) is not int:
            raise ValueError(f"expected a list and a number but got stop_ids={stop_ids!r}, least={least!r}")
        for token in stop_ids:
            if type(token) is not int or not 0 <= token < 32:
                raise ValueError(f"stop id {token!r} is not one of the 32 columns")
