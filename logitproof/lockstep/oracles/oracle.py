"""What an oracle is: something that watches steps and says which law a step breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Protocol

import torch

from ..finding import Finding, Severity
from ..lived import Lived
from ..observation import Observation


class Oracle(Protocol):
    """`code` names it in reports, `laws` it watches, the `sentence` completes "it speaks when …"."""

    code: ClassVar[str]
    laws: ClassVar[tuple[str, ...]]
    sentence: ClassVar[str]

    def judge(self, seen: Observation) -> Iterator[Finding]:
        """Everything wrong with one step; called after every step, in order."""


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
