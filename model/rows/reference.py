"""The shape of every reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from logitproof.spec import SamplingParams

RowFunction: TypeAlias = Callable[
    [SamplingParams, Sequence[int] | None, Sequence[int], Sequence[float]], list[float]
]
"""`(params, prompt_token_ids, output_token_ids, row) -> row`; the row that comes in is never changed.

Source: contract D4, a row depends on its own request only.
"""

BANNED = float("-inf")
"""The logit of a token that must not be sampled."""
