"""What the terms of a state range over: declared on its fields, read by every reading that must build or show one."""

from __future__ import annotations

from dataclasses import Field, dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any


class Sort(Enum):
    """The kinds of number in a state."""

    SLOT = "slot"
    REQUEST = "request"
    ORDINAL = "ordinal"
    COUNT = "count"
    FLAG = "flag"


SLOT, REQUEST, ORDINAL, COUNT, FLAG = Sort


@dataclass(frozen=True, slots=True)
class MapSort:
    """A total function from one sort to another."""

    key: Sort
    value: Sort


_KEY = "sort"


def number(sort: Sort) -> Any:
    """A dataclass field that holds one term of the sort."""
    return field(metadata={_KEY: sort})


def mapping(key: Sort, value: Sort) -> Any:
    """A dataclass field that holds a total map."""
    return field(metadata={_KEY: MapSort(key, value)})


def nested(state: type) -> Any:
    """A dataclass field that holds another state."""
    return field(metadata={_KEY: state})


def sort_of(declared: Field[Any]) -> Sort | MapSort | type:
    """The sort that a state's field was declared with."""
    sort: Sort | MapSort | type = declared.metadata[_KEY]
    return sort


def leaves(state: Any, prefix: str = "") -> list[tuple[str, Sort | MapSort, Any]]:
    """Every term of a state with its dotted name and sort, nested states included."""
    found: list[tuple[str, Sort | MapSort, Any]] = []
    for declared in fields(state):
        name, value = f"{prefix}{declared.name}", getattr(state, declared.name)
        if is_dataclass(value):
            found += leaves(value, f"{name}.")
        else:
            sort = sort_of(declared)
            assert isinstance(sort, Sort | MapSort)
            found.append((name, sort, value))
    return found
