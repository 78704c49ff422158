"""min-p: tokens much less likely than the likeliest are dropped.

>>> from logitproof.spec import SamplingParams
>>> min_p_row(SamplingParams(min_p=0.5), None, [], [0.0, -0.6, -0.8])
[0.0, -0.6, -inf]
"""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.spec import SamplingParams

from .last_finite_logit import has_a_distribution
from .scalar import FLOATS, Logit, Real, Scalar


def keep_likely(K: Scalar, logit: Logit, highest: Logit, min_p: Real) -> Logit:
    """One logit; `highest` is the highest of its row."""
    return K.choose(K.exp(logit - highest) >= min_p, logit, K.banned)


def min_p_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Ban every token whose probability is below `min_p` times the highest.

    The ratio of two probabilities of a softmax is the exponential of the difference of their logits. A token exactly
    at the limit stays. A row whose highest logit is not finite, or that holds a NaN, has no such ratio and stays.
    """
    if params.min_p == 0.0 or not has_a_distribution(row):
        return list(row)
    highest = max(row)
    return [keep_likely(FLOATS, logit, highest, params.min_p) for logit in row]
