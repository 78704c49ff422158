"""Temperature: logits divided by it, so that a low one sharpens the distribution and a high one flattens it.

>>> from logitproof.spec import SamplingParams
>>> temperature_row(SamplingParams(temperature=0.5), None, [], [1.0, -2.0])
[2.0, -4.0]
>>> temperature_row(SamplingParams(temperature=0.0), None, [], [1.0, -2.0])
[1.0, -2.0]
"""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.spec import SamplingParams

from .last_finite_logit import without_overflow
from .scalar import FLOATS, Logit, Real, Scalar

COLDEST = 1e-10
"""Dividing by less could overflow; here float32 logits that differ at all are already as good as greedy."""


def cool(K: Scalar, logit: Logit, temperature: Real) -> Logit:
    """One logit."""
    return logit / temperature


def temperature_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Divide every logit by the temperature.

    Decisions. 0 means greedy: the row stays, and its argmax is taken. A temperature above 0 but below `COLDEST` counts
    as `COLDEST`. Infinities and NaN stay what they are; a quotient too large for a float stops at the largest finite
    one (D8).
    """
    if params.is_greedy:
        return list(row)
    after = [cool(FLOATS, logit, max(params.temperature, COLDEST)) for logit in row]
    return without_overflow(row, after)
