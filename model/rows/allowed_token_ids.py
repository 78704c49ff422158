"""Allowed token ids: everything else is banned.

>>> from logitproof.spec import SamplingParams
>>> allowed_token_ids_row(SamplingParams(allowed_token_ids=[0, 2]), None, [], [0.0, 1.0, 2.0])
[0.0, -inf, 2.0]
"""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.spec import SamplingParams
from logitproof.spec.algebra import Bool

from .last_finite_logit import unless_none_is_left
from .scalar import FLOATS, Logit, Scalar


def keep_allowed(K: Scalar, logit: Logit, allowed: Bool) -> Logit:
    """One logit; `allowed` says whether its token is listed."""
    return K.choose(allowed, logit, K.banned)


def allowed_token_ids_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Ban every token that is not listed.

    Decisions. Repeated ids count once. Ids outside the row are ignored, since there is no such logit. A listed token
    keeps its logit whatever it is: a ban, +inf, NaN. A row in which no listed token has a finite logit stays (D8).
    """
    if params.allowed_token_ids is None:
        return list(row)
    listed = set(params.allowed_token_ids)
    after = [keep_allowed(FLOATS, logit, token in listed) for token, logit in enumerate(row)]
    return unless_none_is_left(row, after)
