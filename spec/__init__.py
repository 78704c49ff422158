"""What must be true: vocabulary, processor interface, parameters, laws and invariants. Standard library only."""

from .batch_update import AddedRequest, BatchUpdate, MoveDirectionality, MovedRequest, RemovedRequest
from .config import EngineConfig, ModelConfig, SchedulerConfig
from .dialect import Dialect
from .interface import LogitsProcessor
from .laws import LAW_BY_ID, LAWS, Law
from .params import SamplingParams, check_token_ids

__all__ = [
    "LAWS",
    "LAW_BY_ID",
    "AddedRequest",
    "BatchUpdate",
    "Dialect",
    "EngineConfig",
    "Law",
    "LogitsProcessor",
    "ModelConfig",
    "MoveDirectionality",
    "MovedRequest",
    "RemovedRequest",
    "SamplingParams",
    "SchedulerConfig",
    "check_token_ids",
]
