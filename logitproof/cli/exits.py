"""Exit codes, as data: the same table for every command."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum


class Exit(IntEnum):
    """What the shell is told."""

    meaning: str

    def __new__(cls, code: int, meaning: str) -> Exit:
        member = int.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    HOLDS = 0, "everything asked for holds, and something was really checked"
    BROKEN = 1, "a counterexample or divergence"
    USAGE = 2, "wrong usage or configuration, target cannot be imported"
    UNKNOWN = 3, "unknown: solver budget or time ran out"
    VACUOUS = 4, "vacuous: nothing was exercised"
    GATE = 5, "a gate's threshold missed"
    INTERRUPTED = 130, "interrupted; `fuzz` still writes its partial report"


WORST_FIRST = (
    Exit.INTERRUPTED,
    Exit.BROKEN,
    Exit.USAGE,
    Exit.UNKNOWN,
    Exit.VACUOUS,
    Exit.GATE,
    Exit.HOLDS,
)


def worst(codes: Iterable[Exit]) -> Exit:
    """Of several results the worst decides; of none, that nothing was exercised."""
    met = {*codes} or {Exit.VACUOUS}
    return next(code for code in WORST_FIRST if code in met)
