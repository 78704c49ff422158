"""Frequency penalty: a number off a token's logit for every time it occurs in the output.

>>> from logitproof.spec import SamplingParams
>>> frequency_penalty_row(SamplingParams(frequency_penalty=0.5), [2], [0, 0, 1], [1.0, 1.0, 1.0])
[0.0, 0.5, 1.0]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from logitproof.spec import SamplingParams
from logitproof.spec.algebra import Int

from .scalar import FLOATS, Logit, Real, Scalar


def penalise_frequency(K: Scalar, logit: Logit, count: Int, penalty: Real) -> Logit:
    """One logit; `count` says how often its token occurs in the output."""
    return logit - penalty * count


def frequency_penalty_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Subtract the penalty times the number of occurrences in the output.

    Decisions. The prompt does not count. Placeholders (-1) and ids outside the row are ignored. Infinities and NaN stay
    what they are.
    """
    if params.frequency_penalty == 0.0:
        return list(row)
    counts = Counter(outputs)
    return [
        penalise_frequency(FLOATS, logit, counts[token], params.frequency_penalty)
        if token in counts
        else logit
        for token, logit in enumerate(row)
    ]
