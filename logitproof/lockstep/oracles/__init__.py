"""The oracles: each watches every step and knows the laws it speaks for."""

from ..dead_parameters import DeadParameter
from .boundary_argument import BoundaryArgument
from .claim import SteadyClaim
from .copies import Copies
from .crash import Crash
from .declared import HonestArgmax, IdentityWhenIdle
from .engine import BatchSize, Invariants, NoneIffNothing, ReplayGivesTheBatch, SameBatch, SameUpdate
from .growth import Growth
from .guard_rows import GuardRows
from .hang import Hang
from .hash_seed import HashSeed
from .idle_work import IdleWork
from .late import Late
from .nothing_kept import NothingKept
from .odd_logits import OddLogits
from .oracle import Hindsight, HistoryOracle, Oracle
from .other_dtype import OtherDtype
from .rebuild import Rebuild
from .reference import Reference
from .reused import Reused
from .revived import Revived
from .shape import NoEmptiedRow, Shape
from .solo import Solo, Untouched
from .unwritten import Unwritten
from .work_in_use import ParamsCopied, WorkInUse

ENGINE_ORACLES: tuple[type[Oracle], ...] = (
    SameBatch,
    NoneIffNothing,
    SameUpdate,
    ReplayGivesTheBatch,
    BatchSize,
    Invariants,
)
"""They look at the engine: while one of them speaks, what the processor does is not judged."""

FORM_ORACLES: tuple[type[Oracle], ...] = (Crash, Hang, Shape)
"""They say that there is nothing to compare; the driver asks them before anybody looks at a row."""

HINDSIGHT_ORACLES: tuple[type[Hindsight], ...] = (
    Untouched,
    Solo,
    Late,
    Reference,
    Rebuild,
    NoEmptiedRow,
    HonestArgmax,
    GuardRows,
    Reused,
    Copies,
    Revived,
    IdentityWhenIdle,
)
"""They look back on what a processor did, in the order in which a report names them: what says most about whose state a
row got comes first.
"""

HISTORY_ORACLES: tuple[type[HistoryOracle], ...] = (
    Unwritten,
    NothingKept,
    Growth,
    SteadyClaim,
    IdleWork,
)
"""They watch steps like the others, at once or looking back, and speak when a history has come to its end."""

CAMPAIGN_ORACLES: tuple[type[Oracle], ...] = (
    DeadParameter,
    BoundaryArgument,
    WorkInUse,
    ParamsCopied,
    OtherDtype,
    OddLogits,
    HashSeed,
)
"""They are asked once, when a campaign has ended clean."""

ORACLES = (*ENGINE_ORACLES, *FORM_ORACLES, *HINDSIGHT_ORACLES, *HISTORY_ORACLES, *CAMPAIGN_ORACLES)

__all__ = [
    "ENGINE_ORACLES",
    "HINDSIGHT_ORACLES",
    "HISTORY_ORACLES",
    "ORACLES",
    "Crash",
    "Hindsight",
    "Oracle",
    "Shape",
]
