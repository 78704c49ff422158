"""A digest of sampling params: the names of the features that a request uses, and none of their values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter, ne
from typing import Any

NAMES = (
    *(
        "temperature",
        "top_p",
        "top_k",
        "min_p",
        "repetition_penalty",
        "frequency_penalty",
        "presence_penalty",
    ),
    *("logit_bias", "min_tokens", "stop_token_ids", "ignore_eos", "allowed_token_ids", "bad_words"),
    *("structured_outputs", "thinking_token_budget", "seed", "logprobs", "extra_args"),
)
"""Fields that say how a request is sampled, in vLLM's spelling and ours; a class need not have all of them."""

NOT_USED: dict[str, Any] = {"temperature": 1.0, "top_p": 1.0, "repetition_penalty": 1.0}
"""Defaults, for a class of params that cannot be made without arguments; all others are false or None."""

PLAIN = "plain"
SEPARATOR = "+"


@dataclass(frozen=True, slots=True)
class _Fields:
    """The fields that a class of params has, how to read them, and what they hold when nothing is asked for."""

    names: tuple[str, ...]
    read: Callable[[Any], tuple[Any, ...]]
    defaults: tuple[Any, ...]


class Digests:
    """Digests of params. A plain request costs about a microsecond."""

    __slots__ = ("_fields",)

    def __init__(self) -> None:
        self._fields: dict[type, _Fields] = {}

    def of(self, params: object) -> str:
        """`min_p+logit_bias`, or `plain`. Arguments of custom processors are named: `extra_args.NAME`."""
        fields = self._fields.get(type(params))
        if fields is None:
            fields = self._fields[type(params)] = _fields(params)
        values = fields.read(params)
        if values == fields.defaults:
            return PLAIN
        changed = compress(zip(fields.names, values, strict=True), map(ne, values, fields.defaults))
        used = [word for name, value in changed for word in _named(name, value)]
        return SEPARATOR.join(used) or PLAIN


def _fields(params: object) -> _Fields:
    names = tuple(name for name in NAMES if hasattr(params, name))
    if len(names) < 2:  # attrgetter returns a tuple for two names or more
        return _Fields((), lambda _: (), ())
    read = attrgetter(*names)
    try:
        defaults = read(type(params)())
    except Exception:  # not a class that can be made without arguments
        defaults = tuple(NOT_USED.get(name) for name in names)
    return _Fields(names, read, defaults)


def _named(name: str, value: Any) -> list[str]:
    if name == "temperature":
        return [name if value else "greedy"]
    if name == "top_k" and value == -1:
        return []
    if name == "extra_args" and isinstance(value, dict):
        return [f"{name}.{key}" for key in sorted(map(str, value))]
    return [name] if value or name == "seed" else []
