"""What stands for a name that a file imports and that no processor needs: it may be imported, not used.

While a file is being imported its own top-level lines may use such names: `app = FastAPI()`, `@app.get("/")`. What
comes of it is inert: it decorates by giving back what it was given, holds nothing, and refuses to be used later.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_under_way: list[object] = []
"""Imports of a user's files in this process."""


class NotInStandIn(RuntimeError):
    """Something was used that the stand-in does not play. Its text is one line."""


@contextmanager
def lenient() -> Iterator[None]:
    """Within it, names without a meaning may be used: their file is only being imported."""
    _under_way.append(None)
    try:
        yield
    finally:
        _under_way.pop()


class _Placeholder(type):
    """Classes that refuse whatever is done with them, and say which name was wanted."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        _only_while_importing(_name(cls))
        return _used(_name(cls), args, kwargs)

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _only_while_importing(_name(cls))
        return placeholder(cls.__module__, f"{cls.__qualname__}.{name}")

    def __getitem__(cls, parameters: Any) -> Any:
        return cls

    def __or__(cls, other: Any) -> Any:
        return cls

    __ror__ = __or__


class Inert:
    """The result of a use at import."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        _only_while_importing(self._name)
        return _used(self._name, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        _only_while_importing(self._name)
        return Inert(f"{self._name}.{name}")

    def __iter__(self) -> Iterator[Any]:
        _only_while_importing(self._name)
        return iter(())

    def __enter__(self) -> Inert:
        _only_while_importing(self._name)
        return self

    def __exit__(self, *raised: Any) -> None:
        return None


def _used(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What a call gives: of a decorator what it decorates, else something inert."""
    if len(args) == 1 and not kwargs and callable(args[0]) and not isinstance(args[0], _Placeholder | Inert):
        return args[0]
    return Inert(name)


def _only_while_importing(name: str) -> None:
    if not _under_way:
        raise NotInStandIn(_refusal(name))


def _name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _refusal(name: str) -> str:
    package = name.partition(".")[0]
    if package == "vllm":
        return (
            f"{name} can be imported but not used: vLLM is not installed here, and its stand-in plays what logits "
            f"processors need; install vLLM: pip install 'logitproof[vllm]'"
        )
    return f"{name} can be imported but not used: {package} is not installed here; install it, or put it on the path"


def placeholder(module: str, name: str) -> type[Any]:
    """A class of that name. Annotations and subclasses of it are fine; using it raises NotInStandIn."""
    return _Placeholder(name, (), {"__module__": module, "__qualname__": name})
