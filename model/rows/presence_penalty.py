"""Presence penalty: a number off the logit of every token that occurs in the output.

>>> from logitproof.spec import SamplingParams
>>> presence_penalty_row(SamplingParams(presence_penalty=0.5), [2], [0, 0, 1], [1.0, 1.0, 1.0])
[0.5, 0.5, 1.0]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from logitproof.spec import SamplingParams
from logitproof.spec.algebra import Int

from .scalar import FLOATS, Logit, Real, Scalar


def penalise_presence(K: Scalar, logit: Logit, count: Int, penalty: Real) -> Logit:
    """One logit; `count` says how often its token occurs in the output."""
    return K.choose(count > 0, logit - penalty, logit)


def presence_penalty_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Subtract the penalty once from every token of the output.

    Decisions. The prompt does not count. Placeholders (-1) and ids outside the row are ignored. Infinities and NaN stay
    what they are.
    """
    if params.presence_penalty == 0.0:
        return list(row)
    counts = Counter(outputs)
    return [
        penalise_presence(FLOATS, logit, counts[token], params.presence_penalty)
        for token, logit in enumerate(row)
    ]
