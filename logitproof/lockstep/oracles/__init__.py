"""The oracles: each watches every step and knows the laws it speaks for."""

from ..dead_parameters import DeadParameter
from .copies import Copies
from .crash import Crash
from .declared import HonestArgmax, IdentityWhenIdle
from .engine import BatchSize, Invariants, NoneIffNothing, ReplayGivesTheBatch, SameBatch, SameUpdate
from .guard_rows import GuardRows
from .idle_work import IdleWork
from .nothing_kept import NothingKept
from .oracle import HistoryOracle, Oracle
from .rebuild import Rebuild
from .reference import Reference
from .shape import NoEmptiedRow, Shape
from .solo import Solo, Untouched
from .unwritten import Unwritten

ENGINE_ORACLES: tuple[type[Oracle], ...] = (
    SameBatch,
    NoneIffNothing,
    SameUpdate,
    ReplayGivesTheBatch,
    BatchSize,
    Invariants,
)
"""They look at the engine: while one of them speaks, what the processor does is not judged."""

FORM_ORACLES: tuple[type[Oracle], ...] = (Crash, Shape)
"""They say that there is nothing to compare; the driver asks them before anybody looks at a row."""

PROCESSOR_ORACLES: tuple[type[Oracle], ...] = (
    Untouched,
    Solo,
    Reference,
    Rebuild,
    NoEmptiedRow,
    HonestArgmax,
    GuardRows,
    Copies,
    IdentityWhenIdle,
)
"""In the order in which a report names them: what says most about whose state a row got comes first."""

HISTORY_ORACLES: tuple[type[HistoryOracle], ...] = (Unwritten, NothingKept, IdleWork)
"""They watch steps like the others, and speak when a history has come to its end."""

CAMPAIGN_ORACLES: tuple[type[Oracle], ...] = (DeadParameter,)
"""They are asked once, when a campaign has ended clean."""

ORACLES = (*ENGINE_ORACLES, *FORM_ORACLES, *PROCESSOR_ORACLES, *HISTORY_ORACLES, *CAMPAIGN_ORACLES)

__all__ = [
    "ENGINE_ORACLES",
    "HISTORY_ORACLES",
    "ORACLES",
    "PROCESSOR_ORACLES",
    "Crash",
    "Oracle",
    "Shape",
]
