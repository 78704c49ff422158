"""What the source of a target says about one argument of its requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

Path: TypeAlias = tuple[str, ...]
"""Keys from the outside in; `ELEMENT` for whatever stands in a list."""
ELEMENT = "[]"


@dataclass(slots=True)
class Evidence:
    """Facts about one argument.

    facts: words for how it is used: "int", "float", "bool", "str", "list", "dict", "index" (of a tensor).
    literals: texts it is compared with. numbers: numbers it is compared with.
    """

    path: Path
    facts: set[str] = field(default_factory=set)
    defaults: list[Any] = field(default_factory=list)
    literals: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    low: float | None = None
    high: float | None = None
    """Between them lies what is not refused, as far as comparisons before a `raise` say."""
    is_required: bool = False
    """It is read by `args[name]` somewhere, with no default."""
