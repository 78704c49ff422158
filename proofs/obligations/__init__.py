"""The theorems, one file per part of the contract, in the order in which the contract reads."""

# isort: skip_file
# Importing a file registers its theorems, so the order here is the order in which they are proved and listed.
from . import operations, framing, building, condensing, reordering, announcing, replaying, orders
from ..obligation import OBLIGATIONS

__all__ = [
    "OBLIGATIONS",
    "announcing",
    "building",
    "condensing",
    "framing",
    "operations",
    "orders",
    "reordering",
    "replaying",
]
