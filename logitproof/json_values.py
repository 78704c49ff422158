"""Values out of a JSON file, checked: JSON knows no integers, so 1.0 and true would pass for one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def whole(value: Any) -> int:
    """The value, if it is an integer. Raises TypeError, naming it."""
    if type(value) is not int:
        raise TypeError(f"expected an integer but got {value!r}")
    return value


def token_ids(values: Iterable[Any]) -> tuple[int, ...]:
    """The values, if all are integers. Raises TypeError, naming the first that is not."""
    return tuple(whole(value) for value in values)
