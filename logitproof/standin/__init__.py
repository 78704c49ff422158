"""Names of vLLM for files that import them where vLLM is not installed, so that their processors can be driven.

Written from the contract, not from vLLM's sources, and used only when the real package is missing.
"""

from .finder import SLIP, Missing, is_installed, is_offered, offer, pretend, pretended, stand_in_for
from .placeholder import NotInStandIn, lenient

__all__ = [
    "SLIP",
    "Missing",
    "NotInStandIn",
    "is_installed",
    "is_offered",
    "lenient",
    "offer",
    "pretend",
    "pretended",
    "stand_in_for",
]
