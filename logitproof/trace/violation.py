"""A law that a recorded step breaks."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Violation:
    """law: its id. summary: what is wrong, in one sentence. step: of the engine. line: of the file."""

    law: str
    summary: str
    step: int
    line: int
