"""Frequency penalty: a number off a token's logit for every time it occurs in the output."""

from __future__ import annotations

import random
from typing import Any

from logitproof.spec import SamplingParams

from ..entry import Entry, Rejected, rounded
from ..growing_cells import Floats
from .penalty import PenaltyLogitsProcessor


class FrequencyPenaltyLogitsProcessor(PenaltyLogitsProcessor):
    """Subtracts the penalty times the number of occurrences in the output. The prompt does not count."""

    neutral = 0.0
    counts_prompt = False

    @staticmethod
    def penalty_of(params: SamplingParams) -> float:
        """`SamplingParams.frequency_penalty`."""
        return params.frequency_penalty

    @staticmethod
    def amounts(counts: Floats, penalties: Floats) -> tuple[Floats, ...]:
        """The penalty times the occurrences."""
        return (penalties * counts,)

    @staticmethod
    def penalise(xp: Any, logits: Any, *amounts: Any) -> Any:
        """Subtract."""
        return logits - amounts[0]


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(frequency_penalty=rng.choice([0.5, -0.5, 2.0, -2.0, 0.3]))


FREQUENCY_PENALTY = Entry(
    "frequency_penalty",
    FrequencyPenaltyLogitsProcessor,
    _sample,
    (
        Rejected({"frequency_penalty": 2.1}, r"frequency_penalty to be a number in \[-2, 2\]"),
        Rejected({"frequency_penalty": -2.1}, r"frequency_penalty to be a number in \[-2, 2\]"),
        Rejected({"frequency_penalty": float("nan")}, "frequency_penalty to be a number"),
        Rejected({"frequency_penalty": True}, "frequency_penalty to be a number"),
    ),
    argmax_invariant=False,
    tolerance=rounded(2),
)
