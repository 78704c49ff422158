"""Bad words: the token that would complete a forbidden sequence of token ids is banned.

>>> from logitproof.spec import SamplingParams
>>> params = SamplingParams(bad_words=[[1, 2], [0]])
>>> bad_words_row(params, [3], [1], [0.0, 1.0, 2.0]), bad_words_row(params, [1], [], [0.0, 1.0, 2.0])
([-inf, 1.0, -inf], [-inf, 1.0, -inf])
"""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.spec import SamplingParams

from .ban import ban
from .last_finite_logit import unless_none_is_left
from .scalar import FLOATS


def what_was_said(prompt: Sequence[int] | None, outputs: Sequence[int]) -> list[int]:
    """The tokens that a bad word may begin in: prompt, then output.

    Decision: whether the first half of a word stands in the prompt or in the output makes no difference, so that a
    request which continues a text is held to the same words as the request that began it. vLLM 0.32 looks at the
    output only; the two differ while the word's beginning reaches into the prompt, and nowhere else.
    """
    return [*(prompt or ()), *outputs]


def completing_tokens(words: Sequence[Sequence[int]], said: Sequence[int]) -> set[int]:
    """The last token of every word whose other tokens are the last ones said."""
    return {word[-1] for word in words if list(said[len(said) - len(word) + 1 :]) == list(word[:-1])}


def bad_words_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Ban the last token of every word whose other tokens have just been said.

    Decisions. A word of one token is always banned. A placeholder (-1) at the end of the outputs equals no token, so
    it completes no beginning: what will stand there is not known yet. A last token outside the row is ignored. A row
    that would be left without a finite logit stays (D8).
    """
    if not params.bad_words:
        return list(row)
    words = [list(word) for word in params.bad_words]
    forbidden = completing_tokens(words, what_was_said(prompt, outputs))
    after = [ban(FLOATS, logit, token in forbidden) for token, logit in enumerate(row)]
    return unless_none_is_left(row, after)
