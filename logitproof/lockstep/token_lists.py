"""The output list that a processor sees, and what it will say once every placeholder is patched."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

PLACEHOLDER = -1
"""Stands in an output list for a token that was sampled and has not arrived yet."""


class TokenList(list[int]):
    """A list that can be referred to weakly; in everything else a list."""

    __slots__ = ("__weakref__",)


class Outputs:
    """The output tokens of one request. lag: steps until a sampled token takes the place of its placeholder.

    lent: an empty list to lend.
    """

    __slots__ = ("_lag", "_left", "_pending", "seen", "true")

    def __init__(self, tokens: Iterable[int], lag: int, lent: TokenList | None = None) -> None:
        self.true = list(tokens)
        """On time: what a solo run reads."""
        self.seen = TokenList() if lent is None else lent
        self.seen += self.true
        """What is lent to processors."""
        self._left = list(self.true) if lag else self.true
        self._lag = lag
        self._pending: deque[tuple[int, int]] = deque()

    @property
    def waits(self) -> bool:
        """Whether the list ends in a placeholder."""
        return bool(self._pending)

    @property
    def known(self) -> list[int]:
        """The tokens that have arrived."""
        return self.true[: len(self.true) - len(self._pending)]

    @property
    def is_changed(self) -> bool:
        """Whether somebody wrote into the list that was lent."""
        return self.seen != self._left

    def append(self, token: int, step: int) -> None:
        """A token was sampled in this step."""
        self.true.append(token)
        self.seen.append(PLACEHOLDER if self._lag else token)
        if self._lag:
            self._left.append(PLACEHOLDER)
            self._pending.append((len(self.true) - 1, step))

    def patch(self, step: int) -> None:
        """The end of a step: what was sampled `lag` steps ago arrives."""
        while self._pending and self._pending[0][1] <= step - self._lag:
            self._arrive(*self._pending.popleft())

    def arrive(self) -> None:
        """The request leaves the batch: everything that is on its way arrives."""
        while self._pending:
            self._arrive(*self._pending.popleft())

    def _arrive(self, place: int, _step: int) -> None:
        if place < len(self.seen):  # somebody may have shortened it, and an oracle will say so
            self.seen[place] = self.true[place]
        self._left[place] = self.true[place]
