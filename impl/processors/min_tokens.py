"""Minimum output length: no stop token before `min_tokens` output tokens."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from ..entry import Entry, Rejected, exact, token_ids
from ..row_state import RowStates
from ..staging import Staging
from ..strategy import cells_for


@dataclass(frozen=True, slots=True)
class _Minimum:
    """One request below its minimum. Lengths in tokens."""

    min_tokens: int
    output_token_ids: list[int]
    stop_token_ids: Collection[int]


class MinTokensLogitsProcessor(LogitsProcessor):
    """Bans every stop token (logit -inf) while the request has fewer than `SamplingParams.min_tokens` outputs.

    The banned set is `SamplingParams.all_stop_token_ids`, the very set that ends a request. A row whose finite logits
    all belong to stop tokens is left as it is: stopping early is better than a row that cannot be sampled (D8).
    """

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._staging = Staging(device, is_pin_memory)
        self._states: RowStates[_Minimum] = RowStates()
        self._cells = cells_for(self._staging)

    def is_argmax_invariant(self) -> bool:
        """False: the banned token may have been the winner. Source: contract D5."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch, then forget rows that reached their minimum; also with None, since outputs have grown.

        The device tensors are renewed only if a row came, went or moved. Source: contract C1, C4, C5.
        """
        changed = self._states.update(batch_update, _minimum)
        # Only lengths count: with asynchronous scheduling the values may still be placeholders.
        over = [row for row, state in self._states.items() if len(state.output_token_ids) >= state.min_tokens]
        self._states.drop(over)
        if over or changed:
            cells = [(row, token) for row, state in self._states.items() for token in state.stop_token_ids]
            rows, token_ids = np.array(cells, dtype=np.int64).reshape(-1, 2).T
            self._cells = cells_for(self._staging, rows, token_ids)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Ban in place and return `logits`: float tensor (num_requests, vocab_size). Source: contract D1 to D4, D8."""
        if self._states:
            self._cells.ban(logits)
        return logits


def _minimum(
    params: SamplingParams, prompt_token_ids: list[int] | None, output_token_ids: list[int]
) -> _Minimum | None:
    if len(output_token_ids) >= params.min_tokens:
        return None
    stop_token_ids = params.all_stop_token_ids
    if not stop_token_ids:
        return None
    return _Minimum(params.min_tokens, output_token_ids, stop_token_ids)


def _sample(rng: random.Random, vocab_size: int) -> SamplingParams:
    return SamplingParams(
        min_tokens=rng.randint(1, 6),
        max_tokens=None,
        stop_token_ids=token_ids(rng, vocab_size, 3),
        eos_token_id=rng.choice([None, rng.randrange(vocab_size)]),
        ignore_eos=rng.random() < 0.3,
    )


MIN_TOKENS = Entry(
    "min_tokens",
    MinTokensLogitsProcessor,
    _sample,
    (
        Rejected({"min_tokens": -1}, "min_tokens to be an integer >= 0"),
        Rejected({"min_tokens": 1.5}, "min_tokens to be an integer >= 0"),
        Rejected({"min_tokens": 3, "max_tokens": 2}, "at most max_tokens=2"),
        Rejected({"min_tokens": 1, "stop_token_ids": [1 << 40]}, "stop_token_ids has"),
    ),
    argmax_invariant=False,
    tolerance=exact("a logit is kept or banned, never computed"),
)
