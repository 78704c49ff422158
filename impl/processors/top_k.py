"""Top-k: only the k likeliest tokens stay, and what is tied with the last of them."""

from __future__ import annotations

import random

import torch

from logitproof.spec import SamplingParams

from ..entry import Entry, Rejected, exact
from ..row_values import RowValues
from ..strategy import Strategy
from .number_per_row import NumberPerRowLogitsProcessor


class TopKLogitsProcessor(NumberPerRowLogitsProcessor):
    """Drops (logit -inf) every token that has at least `top_k` tokens above it.

    All tokens tied at the k-th value stay, so that which ones stay never depends on the order of the vocabulary. 0, -1
    and any k from the vocabulary's size on keep everything. A row whose highest logit is not finite, or that holds a
    NaN, has no distribution to cut and stays (D8).
    """

    @staticmethod
    def number_of(params: SamplingParams) -> float | None:
        """k, at least 1; None without top-k."""
        return params.top_k if params.top_k > 0 else None

    @staticmethod
    def act(strategy: Strategy, logits: torch.Tensor, numbers: RowValues) -> None:
        """Drop."""
        strategy.cut_top_k(logits, numbers)


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(top_k=rng.choice([1, 2, 3, 5, vocab_size // 2, vocab_size]))


TOP_K = Entry(
    "top_k",
    TopKLogitsProcessor,
    _sample,
    (
        Rejected({"top_k": -2}, "top_k to be an integer >= -1"),
        Rejected({"top_k": 1.5}, "top_k to be an integer >= -1"),
        Rejected({"top_k": True}, "top_k to be an integer >= -1"),
        Rejected({"top_k": None}, "top_k to be an integer >= -1"),
    ),
    argmax_invariant=True,
    tolerance=exact("a logit is kept or dropped, never computed"),
)
