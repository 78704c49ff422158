"""Places in params that hold a value, and values that nobody should send there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from logitproof.spec import SamplingParams

from .plain import NEUTRAL, PLAIN

HUGE = 1_000_003
"""Beyond every vocabulary; not larger, since some processors count up to it, or make a list of that length."""
DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands in params. field: of `SamplingParams`; name: "extra_args['tokens'][0]".

    old: the value. is_key: whether it is a key of a dictionary. put: the params with another value there.
    """

    field: str
    name: str
    old: Any
    is_key: bool
    put: Callable[[Any], SamplingParams]

    def holding(self, value: Any) -> SamplingParams | None:
        """The params with `value` here, or None if `SamplingParams` itself refuses it."""
        try:
            return self.put(value)
        except (TypeError, ValueError):
            return None


def places(params: SamplingParams) -> Iterator[Place]:
    """Every place: fields that a processor could act on, values and keys of dictionaries, first items of lists."""
    for field in fields(params):
        whole = getattr(params, field.name)
        if field.name in NEUTRAL or whole == getattr(PLAIN, field.name):
            continue
        name = field.name

        def put(value: Any, name: str = name) -> SamplingParams:
            return replace(params, **{name: value})

        for place in _within(name, name, whole, put, DEEPEST):
            if place.name != "extra_args":  # that it is a mapping, every engine checks
                yield place


def _within(
    field: str, name: str, whole: Any, put: Callable[[Any], SamplingParams], depth: int
) -> Iterator[Place]:
    yield Place(field, name, whole, False, put)
    if not depth or not whole:
        return
    if isinstance(whole, Mapping):
        for key in whole:
            yield from _within(field, f"{name}[{key!r}]", whole[key], _value_put(whole, key, put), depth - 1)
        first = next(iter(whole))
        if type(first) is int:
            yield Place(field, name, first, True, _key_put(whole, first, put))
    elif isinstance(whole, list | tuple):

        def put_first(value: Any) -> SamplingParams:
            return put(type(whole)((value, *whole[1:])))

        yield from _within(field, f"{name}[0]", whole[0], put_first, depth - 1)


def _value_put(
    whole: Mapping[Any, Any], key: Any, put: Callable[[Any], SamplingParams]
) -> Callable[[Any], SamplingParams]:
    return lambda value: put({**whole, key: value})


def _key_put(
    whole: Mapping[Any, Any], key: Any, put: Callable[[Any], SamplingParams]
) -> Callable[[Any], SamplingParams]:
    return lambda value: put({value if each == key else each: whole[each] for each in whole})


def strange_values(old: Any, vocab: int, is_json: bool = False) -> tuple[Any, ...]:
    """Values of the same type beyond any range, and of the other types that JSON knows.

    is_json: whether they come as JSON, which has no infinity and no NaN.
    """
    if type(old) is bool:
        return (None, "text", 7)
    if type(old) is int:
        return (-1, vocab, vocab + 1, HUGE, -HUGE, None, "text", 0.5, [])
    if type(old) is float:
        endless = () if is_json else (math.inf, -math.inf, math.nan)
        return (-1.0, *endless, None, "text", [])
    if type(old) is str:
        return ("", None, 7)
    if isinstance(old, Mapping):
        return ({}, None, 7, "text", [])
    if isinstance(old, list | tuple):
        return (type(old)(), None, 7, "text")
    return ()
