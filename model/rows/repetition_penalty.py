"""Repetition penalty: tokens of the prompt or the output become less likely (more likely, below 1).

>>> from logitproof.spec import SamplingParams
>>> repetition_penalty_row(SamplingParams(repetition_penalty=2.0), [0], [1], [4.0, -4.0, 4.0])
[2.0, -8.0, 4.0]
"""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.spec import SamplingParams
from logitproof.spec.algebra import Bool

from .last_finite_logit import without_overflow
from .scalar import FLOATS, Logit, Real, Scalar

LEAST, MOST = 2.0**-126, (2 - 2.0**-23) * 2.0**127
"""The positive normal numbers of float32."""


def penalise_repetition(K: Scalar, logit: Logit, seen: Bool, penalty: Real) -> Logit:
    """One logit; `seen` says whether its token stands in the prompt or in the output."""
    return K.choose(seen, K.choose(logit > 0, logit / penalty, logit * penalty), logit)


def repetition_penalty_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Divide the positive logits of the tokens seen so far by the penalty, multiply the others with it.

    Decisions. How often a token was seen makes no difference. A prompt given as embeddings (None) has no tokens.
    Placeholders (-1) and ids outside the row are ignored. Infinities and NaN stay what they are. A result too
    large for a float stops at the largest finite one (D8). A penalty outside of the normal numbers of float32, in which
    engines keep it, counts as the nearest of them.
    """
    if params.repetition_penalty == 1.0:
        return list(row)
    seen = {*(prompt or ()), *outputs}
    penalty = min(max(params.repetition_penalty, LEAST), MOST)
    after = [penalise_repetition(FLOATS, logit, token in seen, penalty) for token, logit in enumerate(row)]
    return without_overflow(row, after)
