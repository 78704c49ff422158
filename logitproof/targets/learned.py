"""What can be learned from a processor's source: the fields of `SamplingParams` that it reads."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from logitproof.spec import SamplingParams

from .params import FEATURES
from .target import ParamsFor

INTERFACES = {"builtins", "abc", "logitproof.spec.interface", "vllm.v1.sample.logits_processor.interface"}
"""Where bases come from that say nothing about a particular class."""


def learned_params(cls: type) -> tuple[ParamsFor, str]:
    """Params that use the features a class reads, or all features; and a sentence for the user about it."""
    read = sorted(names_read(cls))
    fields = [name for fields in FEATURES for name in fields if name in read]
    if not fields:
        return partial(_one_of, tuple(FEATURES)), "every field of SamplingParams, no extra_args"
    chosen = tuple(feature for feature in FEATURES if not feature.isdisjoint(read))
    return partial(_one_of, chosen), f"fields that its source reads: {', '.join(sorted(set(fields)))}"


def any_params(vocab_size: int) -> SearchStrategy[SamplingParams]:
    """Every feature of `SamplingParams`, for a processor about which nothing is known."""
    return _one_of(tuple(FEATURES), vocab_size)


def _one_of(features: tuple[frozenset[str], ...], vocab_size: int) -> SearchStrategy[SamplingParams]:
    return st.one_of(*(FEATURES[feature](vocab_size) for feature in features))


def names_read(cls: object) -> set[str]:
    """Attributes and strings in the files that define the class and its own bases; `params.min_p` reads "min_p".

    Empty for what is no class.
    """
    names: set[str] = set()
    if not isinstance(cls, type):
        return names
    for module in {base.__module__ for base in cls.__mro__} - INTERFACES:
        try:
            tree = ast.parse(inspect.getsource(sys.modules[module]))
        except (KeyError, OSError, TypeError, SyntaxError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                names.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.add(node.value)
    return names
