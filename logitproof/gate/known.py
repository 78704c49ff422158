"""Known findings: let pass for a reason, until a date, and only while they are still there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Known:
    """A finding that is let pass. expires: the last day on which it is. law: None for every law of the oracle."""

    target: str
    oracle: str
    law: str | None
    reason: str
    expires: date

    def __str__(self) -> str:
        return f"{self.oracle} ({self.law})" if self.law else self.oracle

    def matches(self, target: str, oracle: str, law: str) -> bool:
        """Whether it speaks of such a finding."""
        return (target, oracle) == (self.target, self.oracle) and self.law in (None, law)


class Baseline:
    """All known findings of a run, and how often each was met."""

    def __init__(self, known: Sequence[Known], today: date) -> None:
        self._known = known
        self._today = today
        self.met: Counter[Known] = Counter()

    def is_expired(self, known: Known) -> bool:
        """Whether its last day is over."""
        return self._today > known.expires

    def lets_pass(self, target: str, oracle: str, law: str) -> bool:
        """Whether such a finding is known today; it is counted."""
        for known in self._known:
            if known.matches(target, oracle, law) and not self.is_expired(known):
                self.met[known] += 1
                return True
        return False

    def expired(self, target: str, oracle: str, law: str) -> Known | None:
        """The known finding that would have let such a finding pass, were it not expired."""
        matching = (known for known in self._known if known.matches(target, oracle, law))
        return next((known for known in matching if self.is_expired(known)), None)

    def of(self, target: str) -> list[Known]:
        """Those that are let pass for a target."""
        return [known for known in self._known if known.target == target]
