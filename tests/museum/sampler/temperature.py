"""Three faults of temperature."""

from __future__ import annotations

from seeded import MovesBackwards, params_of

from logitproof.impl.processors import TemperatureLogitsProcessor


class MovesInReverse(MovesBackwards, TemperatureLogitsProcessor):
    logitproof_params = params_of("temperature")


class GreedyIsVeryCold(TemperatureLogitsProcessor):
    logitproof_params = params_of("temperature")

    @staticmethod
    def number_of(params):
        return max(params.temperature, 1e-3) if params.temperature != 1.0 else None


class Multiplied(TemperatureLogitsProcessor):
    logitproof_params = params_of("temperature")

    @staticmethod
    def number_of(params):
        return 1 / params.temperature if params.temperature not in (0.0, 1.0) else None
