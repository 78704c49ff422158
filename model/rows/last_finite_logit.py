"""Law D8 for one row: no feature takes its last finite logit.

>>> from .reference import BANNED
>>> unless_none_is_left([1.0, 2.0], [BANNED, 2.0]), unless_none_is_left([1.0, 2.0], [BANNED, BANNED])
([-inf, 2.0], [1.0, 2.0])
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from logitproof.spec.algebra import Bool

from .scalar import FLOATS, Logit, Scalar


def kept_if_none_is_left(K: Scalar, before: Logit, after: Logit, some_left: Bool) -> Logit:
    """One logit after a feature; `some_left` says whether its row has a finite logit afterwards."""
    return K.choose(some_left, after, before)


def unless_none_is_left(before: Sequence[float], after: Sequence[float]) -> list[float]:
    """The row after a feature, or the row before it where nothing could be sampled afterwards.

    Decision: the feature as a whole is then not honoured for this step. The alternatives are worse: a row without a
    finite logit has no distribution, and an engine that samples from it answers with an arbitrary token. Of two
    features that have no token in common, the one that acts first therefore wins.
    """
    some_left = any(math.isfinite(logit) for logit in after)
    return [kept_if_none_is_left(FLOATS, old, new, some_left) for old, new in zip(before, after, strict=True)]


def without_overflow(before: Sequence[float], after: Sequence[float]) -> list[float]:
    """The row after arithmetic, where a finite logit that became too large stops at the largest finite float.

    >>> without_overflow([1e308, math.inf], [math.inf, math.inf])
    [1.7976931348623157e+308, inf]
    """
    largest = sys.float_info.max
    return [
        math.copysign(largest, new) if math.isinf(new) and math.isfinite(old) else new
        for old, new in zip(before, after, strict=True)
    ]


def has_a_distribution(row: Sequence[float]) -> bool:
    """Whether the softmax of the row exists: its highest logit is finite and none is NaN."""
    return bool(row) and not any(math.isnan(logit) for logit in row) and math.isfinite(max(row))
