"""The forms in which fast processors compute what the references define. Proved equal; mutated as the kernels are."""

from __future__ import annotations

from logitproof.model.rows.scalar import Logit, Real, Scalar
from logitproof.spec.algebra import Bool, Int


def min_p_by_threshold(K: Scalar, logit: Logit, highest: Logit, log_min_p: Logit) -> Logit:
    """No softmax and no exponential: one comparison."""
    return K.choose(logit < highest + log_min_p, K.banned, logit)


def min_p_by_probability(K: Scalar, logit: Logit, share: Real, highest_share: Real, min_p: Real) -> Logit:
    """As the feature is described, and as vLLM computes it."""
    return K.choose(share < min_p * highest_share, K.banned, logit)


def top_k_by_threshold(K: Scalar, logit: Logit, kth: Logit) -> Logit:
    """`kth` is the k-th highest logit, repetitions counted."""
    return K.choose(logit < kth, K.banned, logit)


def top_p_by_threshold(K: Scalar, logit: Logit, edge: Logit) -> Logit:
    """`edge` is the lowest logit of the nucleus."""
    return K.choose(logit < edge, K.banned, logit)


def top_p_from_below(K: Scalar, logit: Logit, not_likelier: Real, p: Real) -> Logit:
    """`not_likelier` is the probability of all tokens whose logit is not higher: an ascending cumulative sum."""
    return K.choose(not_likelier <= 1 - p, K.banned, logit)


def penalise_seen_only(
    K: Scalar, logit: Logit, seen: Bool, count: Int, repetition: Real, frequency: Real, presence: Real
) -> Logit:
    """All three penalties in one visit to the tokens of prompt and output; no other logit is read."""
    scaled = K.choose(logit > 0, logit / repetition, logit * repetition)
    counted = scaled - frequency * count
    return K.choose(seen, K.choose(count > 0, counted - presence, counted), logit)


def count_newest(K: Scalar, count: Int, token: Int, newest: Int) -> Int:
    """A token's count once one more output is known; a placeholder (-1) is no token's."""
    return K.choose(token == newest, count + 1, count)
