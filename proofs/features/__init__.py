"""What is proved about one row, for every vocabulary, and what must be refuted. `check_features` runs everything."""

# isort: skip_file
# Importing a file registers its theorems, so the order here is the order in which they are proved and listed.
from . import meanings, argmax, definitions, unused, commuting
from .check import FeatureReport, check_features
from .order import draw_commutation, draw_order
from .refutations import WRONG_CLAIMS
from .theorem import FEATURE_OBLIGATIONS

__all__ = [
    "FEATURE_OBLIGATIONS",
    "WRONG_CLAIMS",
    "FeatureReport",
    "argmax",
    "check_features",
    "commuting",
    "definitions",
    "draw_commutation",
    "draw_order",
    "meanings",
    "unused",
]
