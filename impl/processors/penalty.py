"""What the three penalties share: which tokens a request has used how often, and the cells of their logits."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from ..row_state import RowStates
from ..staging import Staging
from ..strategy import Cells, cells_for
from ..token_counts import TokenCounts


class _Penalised:
    """One request: its penalty and the counts of its tokens."""

    __slots__ = ("counts", "penalty")

    def __init__(self, penalty: float, counts: TokenCounts) -> None:
        self.penalty = penalty
        self.counts = counts


class PenaltyLogitsProcessor(LogitsProcessor):
    """Changes the logits of the tokens that a request has used, a list of cells, and reads no others.

    Following the live lists costs the new tokens only. They are read in `apply`, when placeholders have been patched.
    Arithmetic is float32 (float64 for float64 logits), rounded once; infinities and NaN stay, and what is too large
    for the dtype stops at its largest finite value (D8). Ids that the logits have no column for are ignored.
    """

    neutral: ClassVar[float]
    """The penalty that penalises nothing."""
    counts_prompt: ClassVar[bool]

    @staticmethod
    @abstractmethod
    def penalty_of(params: SamplingParams) -> float:
        """The request's penalty."""

    @staticmethod
    @abstractmethod
    def penalise(logits: torch.Tensor, counts: torch.Tensor, penalty: torch.Tensor) -> torch.Tensor:
        """The new logits; all tensors float (num_cells,). A count of 0 is a token that was taken back: no change."""

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._staging = Staging(device, is_pin_memory)
        self._states: RowStates[_Penalised] = RowStates()
        self._are_cells_stale = True
        self._cells = cells_for(self._staging, [], [])

    def is_argmax_invariant(self) -> bool:
        """False: the winner may have been used before. Source: contract D5."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch; outputs are followed in `apply`. Source: contract C1, C4, C5."""
        if self._states.update(batch_update, self._penalised):
            self._are_cells_stale = True

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Penalise in place and return `logits`: float tensor (num_requests, vocab_size). Source: D1 to D4, D8."""
        if not self._states:
            return logits
        for _, state in self._states.items():
            self._are_cells_stale |= state.counts.follow()
        if self._are_cells_stale:
            self._are_cells_stale = False
            self._cells = self._joined()
        self._cells.change(logits, self.penalise)
        return logits

    def _joined(self) -> Cells:
        """The cells of all rows: copies, since the arrays behind them are written again by the next `follow`."""
        rows = [row for row, _ in self._states.items()]
        states = [state for _, state in self._states.items()]
        token_ids = [state.counts.token_ids for state in states]
        penalties = np.repeat([state.penalty for state in states], [len(tokens) for tokens in token_ids])
        counts = np.concatenate([state.counts.counts for state in states])
        return cells_for(self._staging, rows, token_ids, [counts, penalties])

    def _penalised(
        self, params: SamplingParams, prompt_token_ids: list[int] | None, output_token_ids: list[int]
    ) -> _Penalised | None:
        penalty = self.penalty_of(params)
        if penalty == self.neutral:
            return None
        prompt = prompt_token_ids if self.counts_prompt else None
        return _Penalised(penalty, TokenCounts(prompt, output_token_ids))
