"""Tokens that an earlier processor banned stay banned, and nothing is raised to plus infinity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import torch

from ..finding import Finding, Severity
from ..observation import Observation
from .oracle import about_row

if TYPE_CHECKING:
    from ..stretch import Stretch


class Revived:
    """D8, a warning: processors are chained, and what one forbids the next must not allow again.

    One token of a row may come back: a processor that forces it overrules the others on purpose.
    """

    code: ClassVar[str] = "revived"
    laws: ClassVar[tuple[str, ...]] = ("D8",)
    sentence: ClassVar[str] = (
        "several tokens of a row that were at -inf are possible again, or a logit becomes +inf"
    )

    def is_silent(self, stretch: Stretch) -> bool:
        given, returned = stretch.given, stretch.returned
        if not len(returned):
            return True
        # Ends of a row cost one kernel; few rows have a token at -inf, and hardly any has one at +inf.
        banned = given.amin(dim=1) == -torch.inf
        if (_back(given[banned], returned[banned]).sum(dim=1) > 1).any():
            return False
        return bool((returned.amax(dim=1) < torch.inf).all()) or not _raised(given, returned).any()

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.returned is None or seen.given is None:
            return
        back = _back(seen.given, seen.returned)
        for row in (back.sum(dim=1) > 1).nonzero().flatten().tolist():
            tokens = back[row].nonzero().flatten().tolist()
            what = f"may have tokens {tokens} again, which were at -inf"
            yield about_row(self, seen, row, what, severity=Severity.WARNING)
        for row in _raised(seen.given, seen.returned).any(dim=1).nonzero().flatten().tolist():
            yield about_row(
                self, seen, row, "holds +inf: no softmax has an answer", severity=Severity.WARNING
            )


def _back(given: torch.Tensor, returned: torch.Tensor) -> torch.Tensor:
    return given.isneginf() & ~returned.isneginf()


def _raised(given: torch.Tensor, returned: torch.Tensor) -> torch.Tensor:
    return returned.isposinf() & ~given.isposinf()
