"""How often each token occurs in a request's live token lists, kept up to date for the price of the new tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_ROOM = 16


class TokenCounts:
    """Distinct token ids and their counts, as growing arrays.

    Follows the live output list (contract C5): growth, tokens taken back (a shorter list, another tail), and
    placeholders (negative ids of asynchronous scheduling), which count as nothing until they are patched. A change
    in the midst of tokens that stay is not looked for; no engine makes one.

    prompt_token_ids: counted once and for all, each token as one; None or empty for none.
    output_token_ids: the live list; it may already hold tokens (a request that resumes).
    """

    __slots__ = ("_cell", "_counts", "_followed", "_ids", "_outputs", "_placeholders")

    def __init__(self, prompt_token_ids: Sequence[int] | None, output_token_ids: list[int]) -> None:
        self._outputs = output_token_ids
        self._followed: list[int] = []
        self._placeholders: list[int] = []
        # In order, so that neighbours in memory are read one after the other.
        known = sorted({token for token in prompt_token_ids or () if token >= 0})
        self._cell = {token: cell for cell, token in enumerate(known)}
        self._ids = np.empty(len(known) + _ROOM, dtype=np.int64)
        self._counts = np.zeros(len(known) + _ROOM, dtype=np.float64)
        self._ids[: len(known)] = known
        self._counts[: len(known)] = 1
        self.follow()

    @property
    def token_ids(self) -> npt.NDArray[np.int64]:
        """int64 (num_tokens,), each token once: a view that the next `follow` may write into."""
        return self._ids[: len(self._cell)]

    @property
    def counts(self) -> npt.NDArray[np.float64]:
        """float64 (num_tokens,), 0 for a token that was taken back: a view as `token_ids`."""
        return self._counts[: len(self._cell)]

    def follow(self) -> list[int]:
        """Catch up with the output list; the cells whose count changed, new ones in their order."""
        outputs, followed = self._outputs, self._followed
        kept = len(followed)
        changed: list[int] = []
        if self._placeholders or kept > len(outputs) or (kept and followed[-1] != outputs[kept - 1]):
            self._revise(changed)
        for position in range(len(followed), len(outputs)):
            token = outputs[position]
            followed.append(token)
            if token < 0:
                self._placeholders.append(position)
            else:
                changed.append(self._add(token, 1))
        return changed

    def _revise(self, changed: list[int]) -> None:
        """Patch placeholders that have become tokens, then drop the tail that is no longer there."""
        outputs, followed = self._outputs, self._followed
        waiting = []
        for position in self._placeholders:
            if position >= len(outputs) or outputs[position] < 0:
                waiting.append(position)
            else:
                followed[position] = outputs[position]
                changed.append(self._add(outputs[position], 1))
        self._placeholders = waiting
        while followed and (len(followed) > len(outputs) or followed[-1] != outputs[len(followed) - 1]):
            token = followed.pop()
            if token >= 0:
                changed.append(self._add(token, -1))
            else:
                self._placeholders.pop()

    def _add(self, token: int, how_often: int) -> int:
        """Count a token; its cell."""
        cell = self._cell.get(token)
        if cell is None:
            cell = self._cell[token] = len(self._cell)
            if cell == len(self._ids):
                self._ids = np.concatenate([self._ids, np.empty_like(self._ids)])
                self._counts = np.concatenate([self._counts, np.zeros_like(self._counts)])
            self._ids[cell] = token
            self._counts[cell] = 0
        self._counts[cell] += how_often
        return cell
