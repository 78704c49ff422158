"""Allowed token ids: everything else is banned."""

from __future__ import annotations

import random

import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from ..entry import Entry, Rejected, exact, token_ids
from ..row_state import RowStates
from ..staging import Staging
from ..strategy import strategy_for


class AllowedTokenIdsLogitsProcessor(LogitsProcessor):
    """Bans (logit -inf) every token that `SamplingParams.allowed_token_ids` does not list.

    Repeated ids count once, ids outside the logits are ignored, a listed token keeps its logit whatever it is. A row
    in which no listed token has a finite logit is left as it is (D8).
    """

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._staging = Staging(device, is_pin_memory)
        self._strategy = strategy_for(device)
        self._states: RowStates[tuple[torch.Tensor, int]] = RowStates()

    def is_argmax_invariant(self) -> bool:
        """False: the banned token may have been the winner. Source: contract D5."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch. Source: contract C1, C4."""
        self._states.update(batch_update, self._listed)

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Ban in place and return `logits`: float tensor (num_requests, vocab_size). Source: contract D1 to D4, D8."""
        for row, (listed, highest) in self._states.items():
            self._strategy.keep_only(logits[row], listed, highest)
        return logits

    def _listed(
        self, params: SamplingParams, prompt_token_ids: list[int] | None, output_token_ids: list[int]
    ) -> tuple[torch.Tensor, int] | None:
        """The listed ids, each once, ascending: int64 tensor (num_ids,) on the device; and the highest of them."""
        if params.allowed_token_ids is None:
            return None
        listed = sorted(set(params.allowed_token_ids))
        return self._staging.upload(torch.tensor(listed)), listed[-1]


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
