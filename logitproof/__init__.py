"""The front door: proofs, lockstep fuzzing and a regression gate for batched logits processors.

`logitproof --help` lists the commands. What a processor's author and its tests need is here, and in
`logitproof.strategies`; the rest is in the rooms `spec`, `model`, `proofs` and `impl`, and in `logitproof.lockstep` and
`logitproof.targets`. Importing this imports no torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .spec import BatchUpdate, Dialect, EngineConfig, LogitsProcessor, MoveDirectionality, SamplingParams
from .testing.check import CheckReport, check_processor
from .testing.faults import CheckFailed, NothingTested, ProcessorFault, ProcessorWarning, TimeRanOut
from .testing.replay import replay_failure

if TYPE_CHECKING:
    from . import strategies
    from .targets.errors import TargetError

__version__ = "0.1.0"

__all__ = [
    "BatchUpdate",
    "CheckFailed",
    "CheckReport",
    "Dialect",
    "EngineConfig",
    "LogitsProcessor",
    "MoveDirectionality",
    "NothingTested",
    "ProcessorFault",
    "ProcessorWarning",
    "SamplingParams",
    "TargetError",
    "TimeRanOut",
    "__version__",
    "check_processor",
    "replay_failure",
    "strategies",
]


def __getattr__(name: str) -> Any:
    """What needs torch or hypothesis is imported when it is asked for."""
    from importlib import import_module

    if name == "strategies":
        return import_module(f"{__name__}.strategies")
    if name == "TargetError":
        return import_module(f"{__name__}.targets.errors").TargetError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
