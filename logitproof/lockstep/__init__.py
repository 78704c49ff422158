"""The lockstep engine: a history is played on an engine, a processor and the proven model, and oracles watch."""

from .campaign import DEFAULT_DIALECTS, DEFAULT_EXAMPLES, fuzz
from .driver import Lockstep, Run, run
from .finding import Divergence, Finding, Severity
from .generate import histories
from .history import Arrival, History, Step
from .machine import lockstep_machine
from .oracles import ORACLES, Oracle
from .outcome import Budget, Caught, Report, Verdict
from .shrink import shrink
from .timeline import draw_timeline

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
    "shrink",
]
