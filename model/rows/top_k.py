"""top-k: only the k likeliest tokens stay, and what is tied with the last of them.

>>> from logitproof.spec import SamplingParams
>>> top_k_row(SamplingParams(top_k=2), None, [], [3.0, 1.0, 2.0, 2.0])
[3.0, -inf, 2.0, 2.0]
"""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.spec import SamplingParams
from logitproof.spec.algebra import Int

from .last_finite_logit import has_a_distribution
from .scalar import FLOATS, Logit, Scalar


def keep_top_k(K: Scalar, logit: Logit, higher: Int, k: Int) -> Logit:
    """One logit; `higher` says how many tokens of its row have a higher one."""
    return K.choose(higher < k, logit, K.banned)


def how_many_are_higher(row: Sequence[float]) -> dict[float, int]:
    """For every logit of the row: how many tokens have a higher one."""
    higher: dict[float, int] = {}
    for rank, logit in enumerate(sorted(row, reverse=True)):
        higher.setdefault(logit, rank)
    return higher


def top_k_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """Ban every token that has at least k tokens above it.

    Decisions. Ties: all tokens tied at the k-th value stay, so more than k may stay, and which ones never depends on
    the order of the vocabulary. 0, -1 and any k from the vocabulary's size on keep everything. Banned tokens count as
    the lowest: with fewer than k others, all others stay. A row whose highest logit is not finite, or that holds a NaN,
    has no distribution to cut and stays, as for min-p and top-p.
    """
    if params.top_k <= 0 or params.top_k >= len(row) or not has_a_distribution(row):
        return list(row)
    higher = how_many_are_higher(row)
    return [keep_top_k(FLOATS, logit, higher[logit], params.top_k) for logit in row]
