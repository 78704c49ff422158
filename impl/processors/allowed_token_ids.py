"""Allowed token ids: everything else is banned."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from ..entry import Entry, Rejected, exact, token_ids
from ..row_state import RowStates
from ..staging import Staging
from ..strategy import cells_for, join_cells


class AllowedTokenIdsLogitsProcessor(LogitsProcessor):
    """Bans (logit -inf) every token that `SamplingParams.allowed_token_ids` does not list.

    Repeated ids count once, ids outside the logits are ignored, a listed token keeps its logit whatever it is. A row
    in which no listed token has a finite logit is left as it is (D8).
    """

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._staging = Staging(device, is_pin_memory)
        self._states: RowStates[npt.NDArray[np.int64]] = RowStates()
        self._cells = cells_for(self._staging)

    def is_argmax_invariant(self) -> bool:
        """False: the banned token may have been the winner. Source: contract D5."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch. Source: contract C1, C4."""
        if self._states.update(batch_update, _listed):
            self._cells = cells_for(self._staging, *join_cells(self._states.items()))

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Ban in place and return `logits`: float tensor (num_requests, vocab_size). Source: contract D1 to D4, D8."""
        if self._states:
            self._cells.keep_only(logits)
        return logits


def _listed(
    params: SamplingParams, prompt_token_ids: list[int] | None, output_token_ids: list[int]
) -> npt.NDArray[np.int64] | None:
    """The listed ids, each once: int64 (num_ids,)."""
    if params.allowed_token_ids is None:
        return None
    return np.unique(np.array(params.allowed_token_ids, dtype=np.int64))


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(allowed_token_ids=token_ids(rng, vocab_size, 6))


ALLOWED_TOKEN_IDS = Entry(
    "allowed_token_ids",
    AllowedTokenIdsLogitsProcessor,
    _sample,
    (
        Rejected({"allowed_token_ids": []}, "None or at least one token id"),
        Rejected({"allowed_token_ids": [-1]}, "allowed_token_ids to be a sequence of token ids"),
        Rejected({"allowed_token_ids": "abc"}, "allowed_token_ids to be a sequence of token ids"),
        Rejected({"allowed_token_ids": [1 << 40]}, "allowed_token_ids has"),
    ),
    argmax_invariant=False,
    tolerance=exact("a logit is kept or banned, never computed"),
)
