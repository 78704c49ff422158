"""What one sampling step yields: tokens, and log-probabilities where requests asked for them."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class LogprobsMode(enum.Enum):
    """Which logits the reported log-probabilities are of. The values are vLLM's names."""

    RAW = "raw_logprobs"
    """As the model gave them, before any processor."""
    PROCESSED = "processed_logprobs"
    """As the token was drawn from them, after every processor; of a greedy request, as its argmax was taken."""


@dataclass(frozen=True, slots=True)
class TokenLogprobs:
    """For one sampled token. Log-probabilities are natural logarithms, at most 0; -inf for a banned token.

    rank: 1 + number of tokens that are strictly likelier.
    top: the `SamplingParams.logprobs` likeliest tokens with theirs, likeliest first, of equal ones the lowest id first;
    banned tokens are left out, so there may be fewer.
    """

    token_id: int
    logprob: float
    rank: int
    top: tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class Sampled:
    """By row. token_ids: -1 only in discarded rows. logprobs: None for rows that asked for none, or are discarded."""

    token_ids: list[int]
    logprobs: list[TokenLogprobs | None]
