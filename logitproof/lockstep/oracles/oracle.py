"""What an oracle is: something that watches steps and says which law a step breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeGuard

import torch

from ..finding import Finding, Severity
from ..lived import Lived
from ..observation import Observation

if TYPE_CHECKING:
    from ..stretch import Stretch


class Oracle(Protocol):
    """One that looks back (`Hindsight`) or at the present (`AtOnce`).

    `code` names it in reports, `laws` it watches, the `sentence` completes "it speaks when …"."""

    code: ClassVar[str]
    laws: ClassVar[tuple[str, ...]]
    sentence: ClassVar[str]

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Everything wrong with one step; called after every step, in order."""


class AtOnce(Oracle, Protocol):
    """An oracle that must see the processor as it is after a step. That costs time: only in the steps that it names."""

    def is_due(self, number: int) -> bool:
        """Whether `judge` is to be asked about the step with this number."""


class Hindsight(Oracle, Protocol):
    """An oracle that looks back on steps when they have been played: one comparison for all of them.

    Only where that differs is `judge` asked, step by step, so that what it says is about the first one.
    """

    def is_silent(self, stretch: Stretch) -> bool:
        """Whether `judge` would say nothing of any of the steps, and learn nothing from them."""


def looks_back(oracle: Oracle) -> TypeGuard[Hindsight]:
    """By its method: to ask the protocol would take as long as a step."""
    return hasattr(oracle, "is_silent")


def looks_at_once(oracle: Oracle) -> TypeGuard[AtOnce]:
    """By its method."""
    return hasattr(oracle, "is_due")


class HistoryOracle(Oracle, Protocol):
    """An oracle that also looks at a history as a whole."""

    def conclude(self, lived: Lived) -> Iterator[Finding]:
        """Everything wrong with a history that no step has shown; called once, after the last step."""


def about_row(
    oracle: Oracle,
    seen: Observation,
    row: int,
    what: str,
    expected: torch.Tensor | None = None,
    severity: Severity = Severity.FAULT,
) -> Finding:
    """A finding about one row of what `apply` returned. `what` completes "row 0 (B) …"."""
    assert seen.returned is not None
    assert seen.given is not None
    name = seen.requests[row].request_id
    return Finding(
        oracle.code,
        oracle.laws[0],
        f"row {row} ({name}) {what}",
        seen.number,
        row,
        name,
        tuple(seen.given[row].double().tolist()),
        None if expected is None else tuple(expected.double().tolist()),
        tuple(seen.returned[row].double().tolist()),
        severity,
    )
