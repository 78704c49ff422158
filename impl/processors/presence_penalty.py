"""Presence penalty: a number off the logit of every token that occurs in the output."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from logitproof.spec import SamplingParams

from ..entry import Entry, Rejected, rounded
from ..growing_cells import Floats
from .penalty import PenaltyLogitsProcessor


class PresencePenaltyLogitsProcessor(PenaltyLogitsProcessor):
    """Subtracts the penalty once from every token of the output. The prompt does not count."""

    neutral = 0.0
    counts_prompt = False

    @staticmethod
    def penalty_of(params: SamplingParams) -> float:
        """`SamplingParams.presence_penalty`."""
        return params.presence_penalty

    @staticmethod
    def amounts(counts: Floats, penalties: Floats) -> tuple[Floats, ...]:
        """The penalty of a token that occurs."""
        return (np.where(counts > 0, penalties, 0),)

    @staticmethod
    def penalise(xp: Any, logits: Any, *amounts: Any) -> Any:
        """Subtract."""
        return logits - amounts[0]


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(presence_penalty=rng.choice([1.0, -1.0, 2.0, -2.0, 0.3]))


PRESENCE_PENALTY = Entry(
    "presence_penalty",
    PresencePenaltyLogitsProcessor,
    _sample,
    (
        Rejected({"presence_penalty": 2.1}, r"presence_penalty to be a number in \[-2, 2\]"),
        Rejected({"presence_penalty": -2.1}, r"presence_penalty to be a number in \[-2, 2\]"),
        Rejected({"presence_penalty": float("nan")}, "presence_penalty to be a number"),
        Rejected({"presence_penalty": True}, "presence_penalty to be a number"),
    ),
    argmax_invariant=False,
    tolerance=rounded(1),
)
