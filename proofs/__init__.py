"""What is proved about the model's rules, and what must be refuted. `check` runs everything."""

from .check import Report, check
from .discharge import Verdict
from .features import FEATURE_OBLIGATIONS, WRONG_CLAIMS
from .obligation import Obligation
from .obligations import OBLIGATIONS
from .result import Result
from .witnesses import WRONG_CONSUMERS

__all__ = [
    "FEATURE_OBLIGATIONS",
    "OBLIGATIONS",
    "WRONG_CLAIMS",
    "WRONG_CONSUMERS",
    "Obligation",
    "Report",
    "Result",
    "Verdict",
    "check",
]
