"""min-tokens: no stop token before the request has its minimum of output tokens.

>>> from logitproof.spec import SamplingParams
>>> params = SamplingParams(min_tokens=2, stop_token_ids=[0])
>>> min_tokens_row(params, None, [7], [3.0, 1.0]), min_tokens_row(params, None, [7, 7], [3.0, 1.0])
([-inf, 1.0], [3.0, 1.0])
"""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.spec import SamplingParams

from .ban import ban
from .last_finite_logit import unless_none_is_left
from .scalar import FLOATS


def min_tokens_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Ban the stop set while fewer than `min_tokens` tokens have come out.

    A row that would be left without a finite logit stays as it is, since nothing could be sampled from it (D8).
    """
    if len(outputs) >= params.min_tokens:
        return list(row)
    stops = params.all_stop_token_ids
    after = [ban(FLOATS, logit, token in stops) for token, logit in enumerate(row)]
    return unless_none_is_left(row, after)
