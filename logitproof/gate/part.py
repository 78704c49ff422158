"""What the gate found out, part by part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from logitproof.cli.exits import Exit, worst
from logitproof.lockstep.finding import Finding
from logitproof.report.junit import Case, Outcome
from logitproof.report.lines import COLUMNS
from logitproof.report.warning import warning_block


@dataclass(frozen=True, slots=True)
class Part:
    """One line of the summary.

    kind: check, fuzz, replay or known. notes: sentences below the line. warnings: findings that are no fault.
    picture: the drawn failure, if there is one.
    data: what `--json` says besides.
    """

    kind: str
    name: str
    code: Exit
    verdict: str
    seconds: float = 0.0
    steps: int | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()
    picture: str = ""
    data: dict[str, Any] = field(default_factory=dict)

    def case(self) -> Case:
        """The part as a test case of JUnit: what is unknown or tested nothing is an error, not a failure."""
        outcome = {Exit.HOLDS: Outcome.PASSED, Exit.BROKEN: Outcome.FAILED, Exit.GATE: Outcome.FAILED}
        text = "\n".join([*self.notes, *([self.picture] if self.picture else [])])
        message = " ".join([f"{self.verdict}:" if self.notes else self.verdict, *self.notes[:1]])
        warned = [line for warning in self.warnings for line in warning_block(warning, COLUMNS)]
        return Case(
            self.kind,
            self.name,
            outcome.get(self.code, Outcome.ERROR),
            self.seconds,
            message,
            text,
            "\n".join(warned),
            {"exit": int(self.code)} | ({} if self.steps is None else {"steps": self.steps}),
        )


def exit_code(parts: list[Part]) -> Exit:
    """The worst of all parts; of none, that nothing was exercised."""
    return worst(part.code for part in parts)
