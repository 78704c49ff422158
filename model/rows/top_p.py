"""top-p (nucleus sampling): the likeliest tokens stay that together reach probability p.

>>> from logitproof.spec import SamplingParams
>>> top_p_row(SamplingParams(top_p=0.7), None, [], [1.0, 0.0, 1.0, -5.0])
[1.0, -inf, 1.0, -inf]
"""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.spec import SamplingParams

from .last_finite_logit import has_a_distribution
from .scalar import FLOATS, Logit, Real, Scalar


def keep_nucleus(K: Scalar, logit: Logit, likelier: Real, p: Real) -> Logit:
    """One logit; `likelier` is the probability of all tokens of its row with a higher one."""
    return K.choose(likelier < p, logit, K.banned)


def how_likely_are_higher(row: Sequence[float]) -> dict[float, float]:
    """For every logit of the row: the probability of all tokens with a higher one, under the row's softmax."""
    highest = max(row)
    before: dict[float, float] = {}
    mass = 0.0
    for logit in sorted(row, reverse=True):
        before.setdefault(logit, mass)
        mass += FLOATS.exp(logit - highest)
    return {logit: weight / mass for logit, weight in before.items()}


def top_p_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Ban every token whose strictly likelier tokens already reach probability p.

    What stays is the smallest set of likeliest tokens with probability at least p, together with all that is tied with
    the least likely of them.

    Decisions. Ties at the edge stay, so that which tokens stay never depends on the order of the vocabulary. The
    likeliest tokens always stay, however small p. p = 1 keeps everything, also tokens whose probability is too small
    for a float. Probabilities are those of the row as it comes in: of what temperature, min-p and top-k have left,
    renormalised. A row whose highest logit is not finite, or that holds a NaN, has no probabilities and stays.
    """
    if params.top_p >= 1.0 or not has_a_distribution(row):
        return list(row)
    likelier = how_likely_are_higher(row)
    return [keep_nucleus(FLOATS, logit, likelier[logit], params.top_p) for logit in row]
