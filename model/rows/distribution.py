"""What may be sampled from a row, and how likely it is: the reference for random and greedy sampling.

>>> probabilities([0.0, BANNED, 0.0])
[0.5, 0.0, 0.5]
>>> from logitproof.spec import SamplingParams
>>> possible_tokens(SamplingParams(temperature=0.0), [1.0, 3.0, 3.0])
{1}
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from logitproof.spec import SamplingParams

from .last_finite_logit import has_a_distribution
from .reference import BANNED


def probabilities(row: Sequence[float]) -> list[float]:
    """The softmax of a row. Raises ValueError: the highest logit is not finite, or a logit is NaN."""
    _check(row)
    highest = max(row)
    weights = [math.exp(logit - highest) for logit in row]
    total = math.fsum(weights)
    return [weight / total for weight in weights]


def support(row: Sequence[float]) -> set[int]:
    """The tokens that random sampling may yield: all that are not banned, also where a float's probability is 0.

    Raises ValueError: the highest logit is not finite, or a logit is NaN.
    """
    _check(row)
    return {token for token, logit in enumerate(row) if logit != BANNED}


def argmax(row: Sequence[float]) -> int:
    """The token of the highest logit, the lowest id where several share it.

    Raises ValueError: the highest logit is not finite, or a logit is NaN.
    """
    _check(row)
    return list(row).index(max(row))


def possible_tokens(params: SamplingParams, row: Sequence[float]) -> set[int]:
    """The tokens that a request may get from its row after the pipeline: one if it is greedy, else the support."""
    return {argmax(row)} if params.is_greedy else support(row)


def _check(row: Sequence[float]) -> None:
    if not has_a_distribution(row):
        raise ValueError(
            f"Expected a row without NaN whose highest logit is finite but got {list(row)!r}; such a row has no "
            f"distribution, and no token of it would be an honest answer (law D8)"
        )
