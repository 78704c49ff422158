"""Params that a target's strategy draws, written as the code of a strategy that a person can edit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any

from logitproof.lockstep.plain import PLAIN
from logitproof.spec import SamplingParams

FEW = 8
"""Different numbers that are listed; more of them are written as a range."""


class Unspeakable(Exception):
    """A value that has no form in source code. Its text names the type."""


def written_params(drawn: Sequence[SamplingParams]) -> str:
    """An expression over `st` and `SamplingParams` that draws such params. Raises Unspeakable."""
    groups = [_built(group) for group in _groups(drawn)]
    if len(groups) == 1:
        return groups[0]
    inner = "".join(f"    {group},\n".replace("\n", "\n    ").rstrip(" ") for group in groups)
    return f"st.one_of(\n{inner})"


def _groups(drawn: Sequence[SamplingParams]) -> list[list[dict[str, Any]]]:
    """Params that share a field, directly or by way of others: fields of one feature, or of several used together."""
    groups: list[tuple[set[str], list[dict[str, Any]]]] = []
    for params in drawn:
        used = {
            field.name: getattr(params, field.name)
            for field in fields(params)
            if getattr(params, field.name) != getattr(PLAIN, field.name)
        }
        touched = [group for group in groups if not group[0].isdisjoint(used)]
        others = [group for group in groups if group[0].isdisjoint(used)]
        names = {*used}.union(*(names for names, _ in touched))
        members = [member for _, members in touched for member in members]
        groups = [*others, (names, [*members, used])] if used else groups
    return [members for _, members in groups]


def _built(group: Sequence[dict[str, Any]]) -> str:
    names = [field.name for field in fields(SamplingParams) if any(field.name in used for used in group)]
    arguments = [
        f"{name}={code_of([used.get(name, getattr(PLAIN, name)) for used in group])}" for name in names
    ]
    line = f"st.builds(SamplingParams, {', '.join(arguments)})"
    if len(line) <= 100:
        return line
    inner = "".join(f"    {_broken(argument)},\n" for argument in arguments)
    return f"st.builds(\n    SamplingParams,\n{inner})"


def _broken(argument: str) -> str:
    """An argument in lines, where it is long and has optional keys: any place within brackets will do."""
    always, optional, rest = argument.partition(", optional=")
    if len(argument) <= 100 or not optional:
        return argument
    call, bracket, inner = always.partition("(")
    return f"{call}{bracket}\n        {inner},\n        optional={rest.removesuffix(')')},\n    )"


def code_of(values: Iterable[Any]) -> str:
    """The code of a strategy that draws such values. Raises Unspeakable."""
    present = list(values)
    filled = [value for value in present if value is not None]
    if len(filled) < len(present):
        return f"st.none() | {code_of(filled)}" if filled else "st.none()"
    types = {type(value) for value in filled}
    if types == {dict}:
        return _code_of_mappings(filled)
    if types <= {list, tuple}:
        return _code_of_lists(filled)
    if not types <= {int, float, bool, str}:
        strange = next(kind for kind in types if kind not in {int, float, bool, str})
        raise Unspeakable(strange.__name__)
    different = sorted(set(filled), key=lambda value: (str(type(value)), value))
    if types == {int} and len(different) > FEW:
        return f"st.integers({different[0]}, {different[-1]})"
    if len(different) == 1:
        return f"st.just({different[0]!r})"
    if types == {bool}:
        return "st.booleans()"
    return f"st.sampled_from({different!r})"


def _code_of_lists(lists: Sequence[Sequence[Any]]) -> str:
    items = [item for each in lists for item in each]
    if not items:
        return "st.just([])"
    sizes = [len(each) for each in lists]
    distinct = all(len({*map(repr, each)}) == len(each) for each in lists)
    unique = distinct and max(sizes) > 1 and not any(isinstance(item, list | tuple | dict) for item in items)
    bounds = f"min_size={min(sizes)}, max_size={max(sizes)}" + (", unique=True" if unique else "")
    return f"st.lists({code_of(items)}, {bounds})"


def _code_of_mappings(mappings: Sequence[dict[Any, Any]]) -> str:
    keys = list(dict.fromkeys(key for each in mappings for key in each))
    if not keys:
        return "st.just({})"
    if all(isinstance(key, str) for key in keys):
        values = {key: code_of([each[key] for each in mappings if key in each]) for key in keys}
        always = [key for key in keys if all(key in each for each in mappings)]
        told = [_braces(values, always)]
        if len(always) < len(keys):
            told.append(f"optional={_braces(values, [key for key in keys if key not in always])}")
        return f"st.fixed_dictionaries({', '.join(told)})"
    sizes = [len(each) for each in mappings]
    items = [value for each in mappings for value in each.values()]
    return f"st.dictionaries({code_of(keys)}, {code_of(items)}, min_size={min(sizes)}, max_size={max(sizes)})"


def _braces(values: dict[str, str], keys: Sequence[str]) -> str:
    return "{" + ", ".join(f"{_quoted(key)}: {values[key]}" for key in keys) + "}"


def _quoted(key: str) -> str:
    return f'"{key}"' if key.isprintable() and '"' not in key and "\\" not in key else repr(key)
