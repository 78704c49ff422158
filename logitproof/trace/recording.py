"""A recording as data: what each line says, and nothing about whether it can be true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Added:
    """A request that was added: its number, the features it uses, lengths in tokens, the number it had before."""

    index: int
    request: int
    features: str
    prompt_length: int | None
    output_length: int
    came_back_as: int | None


@dataclass(frozen=True, slots=True)
class Update:
    """What the engine told. moved: (source, destination, "SWAP" or "UNIDIRECTIONAL")."""

    batch_size: int
    removed: tuple[int, ...]
    added: tuple[Added, ...]
    moved: tuple[tuple[int, int, str], ...]

    @property
    def is_empty(self) -> bool:
        """Whether it announces nothing."""
        return not (self.removed or self.added or self.moved)


@dataclass(frozen=True, slots=True)
class Line:
    """One step. number: of the line in its file, from 1. What the other fields mean is said in `logitproof.record`."""

    number: int
    step: int
    by: str
    update: Update | None
    requests: int
    place: int
    lengths: tuple[tuple[int, int, int], ...] = ()
    applies: int = 1
    rows: int | None = None
    unreadable: str | None = None
    tokens: Mapping[int, tuple[tuple[int, ...] | None, tuple[int, ...]]] = field(default_factory=dict)
    left: Mapping[int, tuple[int, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recording:
    """A file. batch: those live before the first line, by slot. foreign: lines that another recorder wrote.

    damaged: numbers of lines that cannot be read, with the reason; the torn last line of a killed process is not one of
    them but `torn`.
    """

    path: str
    header: Mapping[str, Any]
    batch: tuple[Added | None, ...]
    lines: tuple[Line, ...]
    foreign: tuple[tuple[int, str], ...] = ()
    damaged: tuple[tuple[int, str], ...] = ()
    torn: int | None = None
    """Number of the unfinished last line."""

    @property
    def by(self) -> str:
        """The recorder whose file this is."""
        return str(self.header["by"])

    @property
    def first_step(self) -> int:
        """The step of the first line."""
        return int(self.header.get("first_step", 1))

    @property
    def first_request(self) -> int:
        """How many requests were told before the first line."""
        return int(self.header.get("requests", 0))
