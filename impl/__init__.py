"""What runs in production, in torch: persistent batch, processors, sampler, runner.

Imports `logitproof.spec` only: the reference model shares no code with it, so that a lockstep run means something.
"""

from .batch_update_builder import BatchUpdateBuilder
from .entry import Entry
from .persistent_batch import PersistentBatch
from .processor_set import ProcessorSet
from .processors import PerRequestLogitsProcessor, per_request
from .registry import BUILTIN_PROCESSORS, ENTRIES, load_processors
from .request import Request
from .row_state import RowStates
from .runner import Runner
from .sampled import LogprobsMode, Sampled, TokenLogprobs
from .sampler import Sampler, UnsampleableRowError
from .scheduler_output import SchedulerOutput
from .staging import Staging

__all__ = [
    "BUILTIN_PROCESSORS",
    "ENTRIES",
    "BatchUpdateBuilder",
    "Entry",
    "LogprobsMode",
    "PerRequestLogitsProcessor",
    "PersistentBatch",
    "ProcessorSet",
    "Request",
    "RowStates",
    "Runner",
    "Sampled",
    "Sampler",
    "SchedulerOutput",
    "Staging",
    "TokenLogprobs",
    "UnsampleableRowError",
    "load_processors",
    "per_request",
]
