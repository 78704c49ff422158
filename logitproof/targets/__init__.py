"""Targets: what the user names on the command line, found, checked and wrapped.

Loading one needs torch, looking whether it is there does not: so it is imported when it is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import TargetError
from .locate import locate
from .target import VOCAB_SIZE, Engine, MakeEngine, MakeProcessor, ParamsFor, Target

if TYPE_CHECKING:
    from .load import load_target, wrap_class

__all__ = [
    "VOCAB_SIZE",
    "Engine",
    "MakeEngine",
    "MakeProcessor",
    "ParamsFor",
    "Target",
    "TargetError",
    "load_target",
    "locate",
    "wrap_class",
]


def __getattr__(name: str) -> Any:
    if name in ("load_target", "wrap_class"):
        from . import load

        return getattr(load, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
