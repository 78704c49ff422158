"""Waste while requests use the processor: right in every row, and paid for in every step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ..finding import Finding
from ..observation import Observation


class WorkInUse:
    """C4, a warning with figures, after a clean campaign: a batch of users, and nothing changes but the outputs.

    Counted are wide tensors made without the logits that hold the same in every step, operations on the logits for
    which the host waits, and tensors that are built element by element.
    """

    code: ClassVar[str] = "in-use-work"
    laws: ClassVar[tuple[str, ...]] = ("C4",)
    sentence: ClassVar[str] = (
        "while nothing changes, every step makes the same wide tensors again, waits for the device, "
        "or writes single elements"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: a campaign that ends clean asks `work_in_use`."""
        yield from ()


class ParamsCopied:
    """C5, a warning with figures: what requests share is copied for every one of them, and the copy never changes."""

    code: ClassVar[str] = "copied"
    laws: ClassVar[tuple[str, ...]] = ("C5",)
    sentence: ClassVar[str] = (
        "large objects in params are deep-copied for every request, and the copies never change"
    )

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Nothing: a campaign that ends clean asks `work_in_use`."""
        yield from ()
