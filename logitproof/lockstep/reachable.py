"""What can still be reached from a processor, and through which of its attributes."""

from __future__ import annotations

import gc
import sys
from array import array
from collections import deque
from collections.abc import Collection, Iterator
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any

import torch

MOST_OBJECTS = 50_000
"""Looked at before giving up: a few milliseconds. Only processors that are suspected are searched at all."""
DEAD_ENDS = (str, bytes, int, float, bool, torch.Tensor, torch.dtype, ModuleType, CodeType, FrameType)
"""They lead to no request, or to the whole interpreter."""

CONTAINERS = (dict, list, set, tuple, frozenset, deque, bytearray, array)


def kept_by(processor: object, wanted: Collection[int]) -> dict[int, str]:
    """Which of the objects with these ids the processor leads to, and where that begins: "self.requests".

    Searched are the instance, its classes and the module that defines it.
    """
    home = type(processor).__module__
    seen: set[int] = set()
    found: dict[int, str] = {}
    # Nearest first: one start that leads to half the interpreter must not use up what the others need.
    queue = deque(_starts(processor, home))
    while queue and len(seen) < MOST_OBJECTS and len(found) < len(wanted):
        name, each = queue.popleft()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if id(each) in wanted:
            found[id(each)] = name
        queue += ((name, further) for further in _next(each, home))
    return found


def sizes(processor: object) -> dict[str, int]:
    """Entries of containers and elements of tensors that each attribute leads to: {"self.rows": 12}."""
    home = type(processor).__module__
    seen: set[int] = set()
    counted: dict[str, int] = {}
    queue = deque(_starts(processor, home))
    while queue and len(seen) < MOST_OBJECTS:
        name, each = queue.popleft()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, torch.Tensor):
            counted[name] = counted.get(name, 0) + each.numel()
        elif isinstance(each, CONTAINERS):
            counted[name] = counted.get(name, 0) + len(each)
        queue += ((name, further) for further in _next(each, home))
    return counted


def _starts(processor: object, home: str) -> Iterator[tuple[str, Any]]:
    for name, value in getattr(processor, "__dict__", {}).items():
        yield f"self.{name}", value
    for cls in type(processor).__mro__:
        for name in getattr(cls, "__slots__", ()):
            if hasattr(processor, name):
                yield f"self.{name}", getattr(processor, name)
        if cls.__module__ == home:
            for name, value in vars(cls).items():
                yield f"{cls.__name__}.{name}", value
    for name, value in vars(sys.modules.get(home, object)).items():
        yield f"the global {name}", value


def _next(each: Any, home: str) -> list[Any]:
    if isinstance(each, DEAD_ENDS):
        return []
    if isinstance(each, type):
        return list(vars(each).values()) if each.__module__ == home else []
    if isinstance(each, FunctionType):  # its globals are searched once, as the module's
        return [*(each.__closure__ or ()), *(each.__defaults__ or ()), *(each.__kwdefaults__ or {}).values()]
    if isinstance(each, MethodType):
        return [each.__self__, each.__func__]
    if isinstance(each, BuiltinFunctionType):
        return [each.__self__]
    return gc.get_referents(each)
