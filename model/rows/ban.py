"""The kernel of every feature that forbids chosen tokens."""

from __future__ import annotations

from logitproof.spec.algebra import Bool

from .scalar import Logit, Scalar


def ban(K: Scalar, logit: Logit, forbidden: Bool) -> Logit:
    """One logit; `forbidden` says whether its token must not be sampled."""
    return K.choose(forbidden, K.banned, logit)
