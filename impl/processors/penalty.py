"""What the three penalties share: which tokens a request has used how often, and the cells of their logits."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import torch

from logitproof.spec import BatchUpdate, EngineConfig, LogitsProcessor, SamplingParams

from ..cell_arithmetic import wide_dtype
from ..growing_cells import Floats, GrowingCells
from ..row_state import RowStates
from ..staging import Staging
from ..strategy import cells_for
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
    def amounts(counts: Floats, penalties: Floats) -> tuple[Floats, ...]:
        """What `penalise` needs of each cell, from float arrays (num_cells,) in the dtype of the arithmetic.

        Asked once for a cell, and again when its count changes. A count of 0 is a token that was taken back.
        """

    @staticmethod
    @abstractmethod
    def penalise(xp: Any, logits: Any, *amounts: Any) -> Any:
        """The new logits, see `CellFunction`."""

    def __init__(self, config: EngineConfig, device: torch.device, is_pin_memory: bool) -> None:
        self._staging = Staging(device, is_pin_memory)
        self._states: RowStates[_Penalised] = RowStates()
        self._tokens: GrowingCells | None = None
        self._cells = cells_for(self._staging)

    def is_argmax_invariant(self) -> bool:
        """False: the winner may have been used before. Source: contract D5."""
        return False

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Follow the batch; outputs are followed in `apply`. Source: contract C1, C4, C5."""
        if self._states.update(batch_update, self._penalised):
            self._tokens = None

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        """Penalise in place and return `logits`: float tensor (num_requests, vocab_size). Source: D1 to D4, D8."""
        if not self._states:
            return logits
        tokens, dtype = self._tokens, wide_dtype(logits.dtype)
        if tokens is None or tokens.dtype != dtype:
            users = [(row, state.penalty, state.counts) for row, state in self._states.items()]
            tokens = self._tokens = GrowingCells(users, self.amounts, dtype)
            self._cells = cells_for(self._staging, *tokens.index, tokens.values)
        elif tokens.follow():
            self._cells.grow(*tokens.index, tokens.values)
        self._cells.change(logits, self.penalise)
        return logits

    def _penalised(
        self, params: SamplingParams, prompt_token_ids: list[int] | None, output_token_ids: list[int]
    ) -> _Penalised | None:
        penalty = self.penalty_of(params)
        if penalty == self.neutral:
            return None
        prompt = prompt_token_ids if self.counts_prompt else None
        return _Penalised(penalty, TokenCounts(prompt, output_token_ids))
