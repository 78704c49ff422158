"""State that outlives an instance: in modules, in classes, and in default arguments of functions.

A failure that comes of it depends on all that was played before. So it is put back before a history is played, as it
would be in a fresh process.
"""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Iterator, MutableMapping
from copy import deepcopy
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeAlias

import torch

from .source import source_of

CONTAINERS = (list, dict, set, deque, bytearray, torch.Tensor)
SIMPLE = (int, float, complex, str, bytes, tuple, frozenset, type(None))
MOST_ENTRIES = 10_000
"""Of one container, or elements of one tensor: larger ones are tables that come with the module."""
Names: TypeAlias = tuple[Any, str, Any]
"""Whose attribute, its name, its value."""


@dataclass(frozen=True, slots=True)
class State:
    """What stood there at one time."""

    names: tuple[Names, ...]
    """Attributes of modules and classes with simple values, which code binds anew."""
    contents: tuple[tuple[Any, Any], ...]
    """Containers, each with a copy of what it held."""


class Outside:
    """The state around one target that is not in its instances."""

    def __init__(self, subject: object) -> None:
        """subject: the class or function of the user's. What stands there now is what `restore` puts back."""
        modules = [module for module, _ in source_of(subject).modules]
        self._owners: list[Any] = [
            *modules,
            *(
                value
                for module in modules
                for value in vars(module).values()
                if _is_own(value, module.__name__)
            ),
        ]
        self._first = self.take()

    def take(self) -> State:
        """A copy of it all."""
        return State(tuple(self._names()), tuple((each, _copy(each)) for each in self._containers()))

    def restore(self) -> None:
        """As it was in the beginning."""
        self.put(self._first)

    def put(self, state: State) -> None:
        """Make it what it was when it was taken, in place."""
        for owner, name, value in state.names:
            if vars(owner).get(name) is not value:
                setattr(owner, name, value)
        for container, content in state.contents:
            _fill(container, _copy(content))

    def has_changed(self) -> bool:
        """Whether anything is otherwise than in the beginning."""
        return any(vars(owner).get(name) is not value for owner, name, value in self._first.names) or any(
            not _equal(container, content) for container, content in self._first.contents
        )

    def _names(self) -> Iterator[Names]:
        for owner in self._owners:
            for name, value in vars(owner).items() if not isinstance(owner, FunctionType) else ():
                if isinstance(value, SIMPLE) and not name.startswith("__"):
                    yield owner, name, value

    def _containers(self) -> Iterator[Any]:
        seen: set[int] = set()
        for owner in self._owners:
            for value in _held(owner):
                if isinstance(value, CONTAINERS) and _size(value) <= MOST_ENTRIES and id(value) not in seen:
                    seen.add(id(value))
                    yield value


def _is_own(value: object, module: str) -> bool:
    if isinstance(value, type | FunctionType):
        return value.__module__ == module
    return type(value).__module__ == module and hasattr(value, "__dict__")  # one object for everybody


def _size(container: Any) -> int:
    return container.numel() if isinstance(container, torch.Tensor) else len(container)


def _held(owner: Any) -> Iterator[Any]:
    if isinstance(owner, FunctionType):
        yield from owner.__defaults__ or ()
        yield from (owner.__kwdefaults__ or {}).values()
        return
    for name, value in vars(owner).items():
        if name.startswith("__"):
            continue
        yield value
        function = inspect.unwrap(getattr(value, "__func__", value)) if isinstance(owner, type) else None
        if isinstance(function, FunctionType):
            yield from _held(function)


def _copy(container: Any) -> Any:
    if isinstance(container, torch.Tensor):
        return container.detach().clone()
    try:
        return deepcopy(container)
    except Exception:  # it holds what cannot be copied, such as a lock: that stays, its place is put back
        return container.copy()


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    try:
        return bool(one == other)
    except Exception:  # it holds arrays, which have no single answer
        return False


def _fill(container: Any, content: Any) -> None:
    if isinstance(container, torch.Tensor):
        with torch.inference_mode(container.is_inference()), torch.no_grad():
            container.resize_(content.shape).copy_(content)
        return
    container.clear()
    if isinstance(container, MutableMapping | set):
        container.update(content)
    else:
        container.extend(content)
