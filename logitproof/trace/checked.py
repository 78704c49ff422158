"""What came of a recording, and which laws it can decide at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from logitproof.spec import LAWS, Dialect

from .recording import Recording
from .statistics import Statistics
from .violation import Violation

UNDECIDABLE = {
    "C3": "it is about consumers that read an update in another order",
    "C6": "what a processor keeps of a finished request is not in a recording",
}
"""Laws of sections A to C that no recording can decide, with the reason."""

DECIDED = tuple(law.id for law in LAWS if law.section in "ABC" and law.id not in UNDECIDABLE)


@dataclass(slots=True)
class Checked:
    """What came of a recording.

    violations: in the order of the lines; of one line the first says most. checked: how often each law was looked at.
    spoken: the dialects in which every update is legal; telling: how many updates tell them apart.
    unjudged: steps after a violation that left the slots unknown. seen: what happened.
    """

    recording: Recording
    violations: list[Violation] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    spoken: frozenset[Dialect] = frozenset(Dialect)
    telling: int = 0
    unjudged: int = 0
    seen: Statistics = field(default_factory=Statistics)

    @property
    def broken(self) -> Counter[str]:
        """Violations by law."""
        return Counter(violation.law for violation in self.violations)

    @property
    def is_vacuous(self) -> bool:
        """Whether no update was ever checked."""
        return not self.checked["C2"]
