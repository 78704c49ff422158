"""The logits of several steps in one buffer, as an engine lends them: every step's rows between rows of a stranger."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

import torch

from .course import Planned

FENCE = 0
"""The row of the bank that lies before and after the batch's own rows, up to a full batch and one more."""


class LentLogits:
    """What one instance is given in each step, and what it gives back.

    One gather fills the buffer for all steps, and one comparison looks at what came back from all of them.
    """

    def __init__(self, bank: torch.Tensor, plans: Sequence[Planned], slots: int, padding: int) -> None:
        """bank: float tensor (rows, vocab). plans: those steps in which `apply` is called.

        padding: rows that are lent beyond the batch's own, up to `slots`. Nobody samples from them, whatever they hold.
        """
        sizes: list[int] = []
        numbers: list[int] = []
        own: list[int] = []
        lent: list[int] = []
        for plan in plans:
            start, size = len(numbers) + 1, len(plan.rows)
            lends = min(slots, size + padding)
            own += range(start, start + size)
            lent += range(start, start + lends)
            numbers += (FENCE, *plan.rows, *(FENCE,) * (slots + 1 - size))
            sizes += (1, lends, slots + 1 - lends)
        self._own = torch.tensor(own, dtype=torch.int64)
        self._lent = torch.tensor(lent, dtype=torch.int64) if padding else self._own
        self._buffer = bank.index_select(0, torch.tensor(numbers, dtype=torch.int64))
        self._fence = bank[FENCE]
        self._views: Sequence[torch.Tensor] = self._buffer.split(sizes) if sizes else ()
        self._starts = [0, *accumulate(len(plan.rows) for plan in plans)]
        self._elsewhere: dict[int, torch.Tensor] = {}
        """The tensors that came back in other memory than was lent, by position of the step."""
        self._contents: list[torch.Tensor] = []
        """What came back from each step, as it was then: a later step may write into either."""

    def passed(self, position: int) -> torch.Tensor:
        """The logits of one step, a view: float tensor (num_requests and padding, vocab)."""
        return self._views[3 * position + 1]

    def own(self, position: int) -> torch.Tensor:
        """The same without padding."""
        return self.passed(position)[: self._starts[position + 1] - self._starts[position]]

    def around(self, position: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The rows before and after those of one step."""
        return self._views[3 * position], self._views[3 * position + 2]

    def keep(self, position: int, returned: torch.Tensor) -> None:
        """Remember what came back."""
        if returned is not self._views[3 * position + 1]:
            self._elsewhere[position] = returned
        self._contents.append(self.latest(position).clone())

    @property
    def kept(self) -> int:
        """In how many steps something came back."""
        return len(self._contents)

    def latest(self, position: int) -> torch.Tensor:
        """The tensor that came back in one step, without padding, as it is now."""
        size = self._starts[position + 1] - self._starts[position]
        return self._elsewhere.get(position, self.passed(position))[:size]

    def overwritten(self, position: int) -> int:
        """How many cells of what came back in one step a later step has written to."""
        now, then = self.latest(position), self._contents[position]
        if torch.equal(now, then):
            return 0
        return int(((now != then) & ~(now.isnan() & then.isnan())).sum())

    def in_place(self, position: int) -> bool:
        """Whether the very tensor that was passed came back (D3)."""
        return position not in self._elsewhere

    def rows(self, position: int) -> slice:
        """Where the rows of a step are in what `returned` gives."""
        return slice(self._starts[position], self._starts[position + 1])

    @cached_property
    def returned(self) -> torch.Tensor:
        """What came back from all steps, read once they have been played: float tensor (rows of all steps, vocab)."""
        return torch.cat(self._contents) if self._contents else self._buffer[:0]

    def fences_stand(self) -> bool:
        """Whether no row of a stranger was written to."""
        outside = torch.ones(len(self._buffer), dtype=torch.bool)
        outside[self._lent] = False
        return bool((self._buffer[outside] == self._fence).all())
