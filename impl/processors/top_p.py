"""Top-p (nucleus sampling): the likeliest tokens stay that together reach probability p."""

from __future__ import annotations

import random

import torch

from logitproof.spec import SamplingParams

from ..entry import Entry, Rejected, exact
from ..row_values import RowValues
from ..strategy import Strategy
from .number_per_row import NumberPerRowLogitsProcessor


class TopPLogitsProcessor(NumberPerRowLogitsProcessor):
    """Drops (logit -inf) every token whose strictly likelier tokens already reach probability `top_p`.

    Ties at the edge stay, the likeliest tokens always stay, p = 1 keeps everything. Probabilities are those of the row
    as it comes in, renormalised, and their sums are decided in float64. A row whose highest logit is not finite, or
    that holds a NaN, has no probabilities and stays (D8).
    """

    @staticmethod
    def number_of(params: SamplingParams) -> float | None:
        """p, in (0, 1); None without top-p."""
        return params.top_p if params.top_p < 1.0 else None

    @staticmethod
    def act(strategy: Strategy, logits: torch.Tensor, numbers: RowValues) -> None:
        """Drop."""
        strategy.cut_top_p(logits, numbers)


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(top_p=rng.choice([0.9, 0.5, 0.1, 0.99, 1e-9]))


TOP_P = Entry(
    "top_p",
    TopPLogitsProcessor,
    _sample,
    (
        Rejected({"top_p": 0.0}, r"top_p to be a number in \(0, 1\]"),
        Rejected({"top_p": 1.1}, r"top_p to be a number in \(0, 1\]"),
        Rejected({"top_p": float("nan")}, r"top_p to be a number in \(0, 1\]"),
        Rejected({"top_p": "0.9"}, r"top_p to be a number in \(0, 1\]"),
    ),
    argmax_invariant=True,
    tolerance=exact("a logit is kept or dropped, never computed"),
)
