"""What stands for a name that a file imports and that no processor needs: it may be imported, not used."""

from __future__ import annotations

from typing import Any, NoReturn


class NotInStandIn(RuntimeError):
    """Something of vLLM was used that the stand-in does not play. Its text is one line."""


class _Placeholder(type):
    """Classes that refuse whatever is done with them, and say which name of vLLM was wanted."""

    def __call__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotInStandIn(_refusal(cls))

    def __getattr__(cls, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotInStandIn(_refusal(cls))


def _refusal(cls: type) -> str:
    return (
        f"{cls.__module__}.{cls.__qualname__} can be imported but not used: vLLM is not installed here, and its "
        f"stand-in plays what logits processors need; install vLLM: pip install 'logitproof[vllm]'"
    )


def placeholder(module: str, name: str) -> type[Any]:
    """A class of that name. Annotations and subclasses of it are fine; calling it raises NotInStandIn."""
    return _Placeholder(name, (), {"__module__": module, "__qualname__": name})
