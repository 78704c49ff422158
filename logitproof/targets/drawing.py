"""A few values of a strategy, the same in every run."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis.strategies import SearchStrategy


def few(strategy: SearchStrategy[Any], number: int) -> list[Any]:
    """The first values that hypothesis draws, `number` of them or fewer; never empty."""
    drawn: list[Any] = []

    @with_seed(0)
    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(value: Any) -> None:
        drawn.append(value)

    draw()
    return drawn[:number]
