"""Min-p: drops tokens that are much less likely than the likeliest one."""

from __future__ import annotations

import math
import random

import torch

from logitproof.spec import SamplingParams

from ..entry import Entry, Rejected, exact
from ..row_values import RowValues
from ..strategy import Strategy
from .number_per_row import NumberPerRowLogitsProcessor

_LENIENT = 2.0**-54
"""So that min_p = 1 keeps a token whose float64 ratio to the highest rounds to 1, as the definition does."""


class MinPLogitsProcessor(NumberPerRowLogitsProcessor):
    """Drops (logit -inf) every token whose probability is below `min_p` times the highest of its row.

    In logits: drop `x` if `x < highest + log(min_p)`. The right side is computed in float64 from the row's own
    highest logit and compared exactly, whatever the logits' dtype, so that a token on the boundary is kept in every
    dtype, on every device. A row whose highest logit is not finite (all -inf, some +inf or NaN) has no probabilities
    and is left as it is (D8).
    """

    @staticmethod
    def number_of(params: SamplingParams) -> float | None:
        """log(min_p), at most 0, less half a unit in the last place of 1; None without min-p."""
        return math.log(params.min_p) - _LENIENT if params.min_p > 0 else None

    @staticmethod
    def act(strategy: Strategy, logits: torch.Tensor, numbers: RowValues) -> None:
        """Drop."""
        strategy.cut_min_p(logits, numbers)


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(min_p=rng.choice([0.5, 0.1, 0.9, 0.02, 1.0]))


MIN_P = Entry(
    "min_p",
    MinPLogitsProcessor,
    _sample,
    (
        Rejected({"min_p": -0.1}, r"min_p to be a number in \[0, 1\]"),
        Rejected({"min_p": 1.1}, r"min_p to be a number in \[0, 1\]"),
        Rejected({"min_p": float("nan")}, r"min_p to be a number in \[0, 1\]"),
        Rejected({"min_p": None}, r"min_p to be a number in \[0, 1\]"),
    ),
    argmax_invariant=True,
    tolerance=exact("a logit is kept or dropped, never computed"),
)
