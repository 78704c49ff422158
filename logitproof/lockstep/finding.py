"""What an oracle says when something is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Severity(Enum):
    """How much a finding weighs."""

    FAULT = "fault"
    """A law is broken: the run fails."""
    WARNING = "warning"
    """Wasteful, but no request gets another one's treatment: shown, never failing."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a warning: of what, how many if that can be counted, and which."""

    what: str
    count: int | None
    which: str = ""

    @property
    def number(self) -> str:
        """The count as text."""
        return "" if self.count is None else f"{self.count:,}"

    def __str__(self) -> str:
        return f"{self.what}: {' '.join(filter(None, (self.number, self.which and f'({self.which})')))}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken law, where and how. `step` counts from 1. `given`, `expected` and `actual` are logits, by token.

    law: empty where what is seen does not say which one: an exception may have any cause.
    """

    oracle: str
    law: str
    summary: str
    step: int
    row: int | None = None
    request: str | None = None
    given: tuple[float, ...] | None = None
    expected: tuple[float, ...] | None = None
    actual: tuple[float, ...] | None = None
    severity: Severity = Severity.FAULT
    figures: tuple[Figure, ...] = ()
    place: str | None = None
    """Of a crash: the type of the exception and where it was raised; a smaller history must crash there too."""

    @property
    def title(self) -> str:
        """Oracle and law, as reports name them."""
        return titled(self.oracle, self.law)

    @property
    def kind(self) -> tuple[str, str | None]:
        """What stays the same while a history is made smaller."""
        return self.oracle, self.place


def titled(oracle: str, law: str) -> str:
    """`untouched (D2)`, or the oracle alone."""
    return f"{oracle} ({law})" if law else oracle


class Divergence(AssertionError):
    """A run met findings that are faults; the first is the one to show."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        super().__init__(findings[0].summary)
