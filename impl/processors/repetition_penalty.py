"""Repetition penalty: tokens of the prompt or the output become less likely (more likely, below 1)."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from logitproof.spec import SamplingParams

from ..entry import Entry, Rejected, rounded
from ..growing_cells import Floats
from .penalty import PenaltyLogitsProcessor

LEAST, MOST = float(np.finfo(np.float32).tiny), float(np.finfo(np.float32).max)


class RepetitionPenaltyLogitsProcessor(PenaltyLogitsProcessor):
    """Divides the positive logits of the tokens seen so far by the penalty, multiplies the others with it.

    How often a token was seen makes no difference; a prompt given as embeddings (None) has no tokens. Dividing is
    multiplying with the rounded reciprocal, as vLLM does it, so that the logits are equal to its own bit for bit. A
    penalty outside of the normal numbers of float32 counts as the nearest of them.
    """

    neutral = 1.0
    counts_prompt = True

    @staticmethod
    def penalty_of(params: SamplingParams) -> float:
        """`SamplingParams.repetition_penalty`: 0 or infinite, as float32 sees it, would make NaN of a logit of 0."""
        return min(max(params.repetition_penalty, LEAST), MOST)

    @staticmethod
    def amounts(counts: Floats, penalties: Floats) -> tuple[Floats, ...]:
        """What a positive logit and what another one is multiplied with."""
        scale = np.where(counts > 0, penalties, 1)
        return 1 / scale, scale

    @staticmethod
    def penalise(xp: Any, logits: Any, *amounts: Any) -> Any:
        """Scale by the sign of the logit."""
        return logits * xp.where(logits > 0, *amounts)


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(repetition_penalty=rng.choice([1.5, 2.0, 1.1, 0.5, 0.9]))


REPETITION_PENALTY = Entry(
    "repetition_penalty",
    RepetitionPenaltyLogitsProcessor,
    _sample,
    (
        Rejected({"repetition_penalty": 0.0}, r"repetition_penalty to be a number in \(0, inf\)"),
        Rejected({"repetition_penalty": -1.0}, r"repetition_penalty to be a number in \(0, inf\)"),
        Rejected({"repetition_penalty": float("nan")}, "repetition_penalty to be a number"),
        Rejected({"repetition_penalty": "2"}, "repetition_penalty to be a number"),
    ),
    argmax_invariant=False,
    tolerance=rounded(3),
)
