"""Logit bias: a number added to the logits of chosen tokens.

>>> from logitproof.spec import SamplingParams
>>> logit_bias_row(SamplingParams(logit_bias={2: -1.5}), None, [], [0.0, 1.0, 2.0])
[0.0, 1.0, 0.5]
"""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.spec import SamplingParams

from .last_finite_logit import without_overflow
from .scalar import FLOATS, Logit, Real, Scalar


def add_bias(K: Scalar, logit: Logit, bias: Real) -> Logit:
    """One logit."""
    return logit + bias


def logit_bias_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Add each token's bias to its logit.

    Decisions. A banned token stays banned whatever its bias. Tokens without a bias are not touched, not even the sign
    of a zero. Ids outside the row are ignored. A sum too large for a float stops at the largest finite one (D8).
    """
    biases = params.logit_bias or {}
    after = [
        add_bias(FLOATS, logit, biases[token]) if token in biases else logit
        for token, logit in enumerate(row)
    ]
    return without_overflow(row, after)
