"""The front door: proofs, lockstep fuzzing and a regression gate for batched logits processors.

`logitproof --help` lists the commands. What a processor author needs at import time is here; the rest is in the
rooms `spec`, `model`, `proofs` and `impl`, and in `logitproof.lockstep` and `logitproof.targets`.
"""

from .spec import BatchUpdate, Dialect, EngineConfig, LogitsProcessor, MoveDirectionality, SamplingParams

__version__ = "0.1.0"

__all__ = [
    "BatchUpdate",
    "Dialect",
    "EngineConfig",
    "LogitsProcessor",
    "MoveDirectionality",
    "SamplingParams",
    "__version__",
]
