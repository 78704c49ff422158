"""How reports lay out lines: 80 columns, and nothing said by colour."""

from __future__ import annotations

import re
from textwrap import wrap

COLUMNS = 80
BESIDE = COLUMNS - 14
"""What is left beside the column of names."""


def rule(title: str = "", fill: str = "=") -> str:
    """A line across all columns with a title in its middle."""
    return f" {title} ".center(COLUMNS, fill) if title else fill * COLUMNS


def broken(name: str, width: int = COLUMNS, indent: str = "  ") -> list[str]:
    """A name in lines of a width, cut after a space, colon, slash or dot; elsewhere only where nothing else helps."""
    lines = [""]
    for piece in re.findall(r"[^ :/.]+[ :/.]*|[ :/.]+", name):
        if len(lines[-1]) + len(piece.rstrip()) > width and lines[-1].strip():
            lines.append(indent)
        lines[-1] += piece
    return [cut for line in lines for cut in wrap(line, width, subsequent_indent=indent)] or [""]


def field(name: str, text: str) -> list[str]:
    """A name in its column and the text beside it."""
    return beside(name, wrap(text, BESIDE) or [""])


def beside(name: str, lines: list[str]) -> list[str]:
    """A name in its column and lines beside it, each of at most `BESIDE` columns."""
    first, *more = lines
    return [f"  {name:11} {first}", *(" " * 14 + line for line in more)]
