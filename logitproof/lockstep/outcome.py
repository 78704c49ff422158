"""What a campaign may spend, and what came of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum

from logitproof.fuzz_options import MAX_EXAMPLES
from logitproof.targets import Target

from .finding import Finding
from .hazards import DEFAULT_HAZARDS, Hazard
from .history import History
from .transitions import Transitions

CALL_LIMIT = 10.0
"""Seconds for one call of a processor. On 32 tokens and a few rows the slowest honest ones take a tenth of a second."""


class Verdict(Enum):
    """How a campaign against one target ended."""

    CLEAN = "clean"
    FAILED = "failed"
    LATENT = "latent"
    """Failed, but only in the dialect that no known engine speaks."""
    VACUOUS = "vacuous"
    OUT_OF_TIME = "out of time"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class Budget:
    """When to stop.

    max_examples: histories per dialect. max_time: seconds per target; a run that it cuts short is not clean.
    enough: seconds after which a run that has been clean so far has done enough, if it was worth calling a run.
    call_limit: seconds that one call of the processor may take. workers: processes that play. last_resort: see
    `Watchdog`.
    """

    max_examples: int = MAX_EXAMPLES
    max_time: float | None = None
    shrink: bool = True
    enough: float | None = None
    call_limit: float = CALL_LIMIT
    workers: int = 1
    last_resort: bool = False


@dataclass(frozen=True, slots=True)
class Caught:
    """A failure: the smallest history found, and what the oracles said about it (the first says most)."""

    findings: tuple[Finding, ...]
    history: History
    found_after: int
    """Steps played before it was met."""
    fails_again: bool = True
    """False if the same history was clean when it was played once more: `history` is the one found, unshrunk."""
    is_strange: bool = False
    """Whether somebody in the history has an argument that nobody should send, and that was not refused."""


@dataclass(slots=True)
class Report:
    """What was done to one target, and what came of it."""

    target: Target
    verdict: Verdict = Verdict.INTERRUPTED
    histories: int = 0
    steps: int = 0
    seconds: float = 0.0
    hazards: frozenset[Hazard] = DEFAULT_HAZARDS
    """What histories could hold."""
    unsupported: frozenset[Hazard] = frozenset()
    """What was asked for and left out, since the target says that it does not support it."""
    transitions: Transitions = field(default_factory=Transitions)
    caught: list[Caught] = field(default_factory=list)
    warnings: dict[str, Finding] = field(default_factory=dict)
    known: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Histories that were set aside because of a known fault, by its oracle and law."""
    note: str = ""
    """Why the verdict is not clean, and what to try next."""

    @property
    def steps_per_second(self) -> float:
        """Of generation and oracles together, before shrinking."""
        return self.steps / self.seconds if self.seconds else 0.0
