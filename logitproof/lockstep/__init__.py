"""The lockstep engine: a history is played on an engine, a processor and the proven model, and oracles watch.

Names are imported when they are asked for, so that what needs no torch (hazards, scopes, saved files) answers at once.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .campaign import DEFAULT_DIALECTS, DEFAULT_EXAMPLES, fuzz
    from .driver import Lockstep, Run, run
    from .finding import Divergence, Finding, Severity
    from .generate import histories
    from .history import Arrival, History, Step
    from .machine import lockstep_machine
    from .oracles import ORACLES, Oracle
    from .outcome import Budget, Caught, Report, Verdict
    from .timeline import draw_timeline

_WHERE = {
    "campaign": ("DEFAULT_DIALECTS", "DEFAULT_EXAMPLES", "fuzz"),
    "driver": ("Lockstep", "Run", "run"),
    "finding": ("Divergence", "Finding", "Severity"),
    "generate": ("histories",),
    "history": ("Arrival", "History", "Step"),
    "machine": ("lockstep_machine",),
    "oracles": ("ORACLES", "Oracle"),
    "outcome": ("Budget", "Caught", "Report", "Verdict"),
    "timeline": ("draw_timeline",),
}

__all__ = [
    "DEFAULT_DIALECTS",
    "DEFAULT_EXAMPLES",
    "ORACLES",
    "Arrival",
    "Budget",
    "Caught",
    "Divergence",
    "Finding",
    "History",
    "Lockstep",
    "Oracle",
    "Report",
    "Run",
    "Severity",
    "Step",
    "Verdict",
    "draw_timeline",
    "fuzz",
    "histories",
    "lockstep_machine",
    "run",
]


def __getattr__(name: str) -> Any:
    for module, names in _WHERE.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
