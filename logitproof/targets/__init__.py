"""Targets: what the user names on the command line, found, checked and wrapped."""

from .errors import TargetError
from .load import load_target, wrap_class
from .locate import locate
from .target import VOCAB_SIZE, Engine, MakeEngine, MakeProcessor, ParamsFor, Target

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
