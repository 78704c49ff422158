"""Temperature: logits divided by it, so that a low one sharpens the distribution and a high one flattens it."""

from __future__ import annotations

import random

import torch

from logitproof.spec import SamplingParams

from ..entry import Entry, Rejected, rounded
from ..row_values import RowValues
from ..strategy import Strategy
from .number_per_row import NumberPerRowLogitsProcessor

COLDEST = 1e-10
"""Dividing by less could overflow; here float32 logits that differ at all are already as good as greedy."""


class TemperatureLogitsProcessor(NumberPerRowLogitsProcessor):
    """Divides every logit by `SamplingParams.temperature`, rounded to float32 as vLLM does.

    0 means greedy: the row stays, and its argmax is taken. A temperature above 0 but below `COLDEST` counts as
    `COLDEST`. Where the highest logit would leave the range of the dtype, the row is shifted first so that its highest
    logit is 0: the distribution is the same, and its argmax survives (D5, D8). Infinities and NaN stay, and beside a
    +inf or NaN the others stop at the largest finite value of the dtype.
    """

    @staticmethod
    def number_of(params: SamplingParams) -> float | None:
        """The divisor; None for greedy requests and for 1."""
        if params.is_greedy or params.temperature == 1.0:
            return None
        return float(torch.tensor(max(params.temperature, COLDEST), dtype=torch.float32))

    @staticmethod
    def act(strategy: Strategy, logits: torch.Tensor, numbers: RowValues) -> None:
        """Divide."""
        strategy.divide(logits, numbers)


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(temperature=rng.choice([0.5, 2.0, 0.7, 1.3, 0.0]))


TEMPERATURE = Entry(
    "temperature",
    TemperatureLogitsProcessor,
    _sample,
    (
        Rejected({"temperature": -0.5}, r"temperature to be a number in \[0, inf\)"),
        Rejected({"temperature": float("inf")}, r"temperature to be a number in \[0, inf\)"),
        Rejected({"temperature": float("nan")}, r"temperature to be a number in \[0, inf\)"),
        Rejected({"temperature": "hot"}, r"temperature to be a number in \[0, inf\)"),
    ),
    argmax_invariant=True,
    tolerance=rounded(2),
)
