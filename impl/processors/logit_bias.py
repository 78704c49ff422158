"""Logit bias: adds a number to the logits of chosen tokens."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from ..entry import Entry, Rejected, rounded, token_ids
from ..row_state import RowStates
from ..staging import Staging
from ..strategy import cells_for, join_cells


@dataclass(frozen=True, slots=True)
class _Biases:
    """One request's biases. token_ids: int64 (num_biases,). values: float64 (num_biases,)."""

    token_ids: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]


class LogitBiasLogitsProcessor(LogitsProcessor):
    """`logits[row, token] += bias` for every entry of `SamplingParams.logit_bias`.

    Bias and sum are float32 (float64 for float64 logits), rounded once to the row's dtype. Infinite and NaN
    logits keep what float addition gives. A finite sum too large for the dtype stops at its largest finite value, so
    a row that could be sampled still can be (D8).
    """

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._staging = Staging(device, is_pin_memory)
        self._states: RowStates[_Biases] = RowStates()
        self._cells = cells_for(self._staging)

    def is_argmax_invariant(self) -> bool:
        """False: a bias can make another token the winner. Source: contract D5."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch; the device tensors are renewed only if a biased row changed. Source: contract C1, C4."""
        if not self._states.update(batch_update, _biases):
            return
        items = self._states.items()
        index = join_cells([(row, biases.token_ids) for row, biases in items])
        values = np.concatenate([np.empty(0), *(biases.values for _, biases in items)])
        self._cells = cells_for(self._staging, *index, [values])

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Add the biases in place and return `logits`: float tensor (num_requests, vocab_size). Source: D1 to D4."""
        if self._states:
            self._cells.change(logits, _add)
        return logits


def _add(xp: Any, logits: Any, bias: Any) -> Any:
    return logits + bias


def _biases(
    params: SamplingParams, prompt_token_ids: list[int] | None, output_token_ids: list[int]
) -> _Biases | None:
    if not params.logit_bias:
        return None
    biases = params.logit_bias
    return _Biases(
        np.fromiter(biases, dtype=np.int64, count=len(biases)),
        np.fromiter(biases.values(), dtype=np.float64, count=len(biases)),
    )


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    biases = (-100.0, 4.5, -2.25, 0.75, 50.0)
    return SamplingParams(logit_bias={token: rng.choice(biases) for token in token_ids(rng, vocab_size, 4)})


LOGIT_BIAS = Entry(
    "logit_bias",
    LogitBiasLogitsProcessor,
    _sample,
    (
        Rejected({"logit_bias": {0: float("inf")}}, r"logit_bias\[0\] to be a finite number"),
        Rejected({"logit_bias": {-1: 1.0}}, "logit_bias to be a sequence of token ids"),
        Rejected({"logit_bias": [1, 2]}, "a mapping of token id to bias"),
        Rejected({"logit_bias": {1 << 40: 1.0}}, "logit_bias has"),
    ),
    argmax_invariant=False,
    tolerance=rounded(1),
)
