"""A TOML table that is read key by key, so that every wrong type and every unknown key is told in one line."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any, NoReturn


class WrongSettings(Exception):
    """Settings that cannot be used. Its text is one line: where, what was expected, what it is."""


class Table:
    """`[tool.logitproof]` or a table in it. Keys are taken; `refuse_others` complains about those that were not."""

    def __init__(self, values: Any, where: str) -> None:
        if not isinstance(values, dict):
            raise WrongSettings(f"Expected {where} to be a table but got {values!r}")
        self._values: dict[str, Any] = values
        self._known: list[str] = []
        self.where = where

    def _take(self, key: str) -> Any:
        self._known.append(key)
        return self._values.get(key)

    def text(self, key: str) -> str | None:
        """A string that is not empty."""
        value = self._take(key)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            self.refuse(key, value, "a string")
        return value

    def needed_text(self, key: str) -> str:
        """A string that must be there."""
        value = self.text(key)
        if value is None:
            near = get_close_matches(key, self._values, n=1)
            hint = f"; it has {near[0]!r}, did you mean {key!r}?" if near else ""
            raise WrongSettings(f"{self.where} lacks {key!r}{hint}")
        return value

    def truth(self, key: str, default: bool) -> bool:
        """true or false."""
        value = self._take(key)
        if value is not None and type(value) is not bool:
            self.refuse(key, value, "true or false")
        return default if value is None else value

    def whole(self, key: str, default: int, low: int = 0) -> int:
        """An integer."""
        value = self._take(key)
        if value is not None and (type(value) is not int or value < low):
            self.refuse(key, value, f"an integer >= {low}")
        return default if value is None else value

    def share(self, key: str, default: float) -> float:
        """A number from 0 to 1."""
        value = self._take(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            self.refuse(key, value, "a number in [0, 1]")
        return float(value)

    def day(self, key: str) -> date:
        """A date that must be there, as TOML writes it: 2027-01-31."""
        value = self._take(key)
        if value is None:
            raise WrongSettings(f"{self.where} lacks {key!r}, a date such as 2027-01-31")
        if not isinstance(value, date) or isinstance(value, datetime):
            self.refuse(key, value, "a date such as 2027-01-31, without quotes")
        return value

    def items(self, key: str) -> list[Any]:
        """A list, empty if it is not there."""
        value = self._take(key)
        if value is not None and not isinstance(value, list):
            self.refuse(key, value, "a list")
        return value or []

    def given(self, keys: Iterable[str]) -> dict[str, Any]:
        """The values of those keys that are there, to be checked by whoever takes them. Lists come as tuples."""
        taken = {key: self._take(key) for key in keys}
        return {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in taken.items()
            if value is not None
        }

    def refuse_others(self) -> None:
        """Raise WrongSettings for a key that nobody has asked for."""
        for key in self._values:
            if key not in self._known:
                raise WrongSettings(
                    f"{self.where} has no {key!r}{did_you_mean(key.replace('-', '_'), self._known)}"
                )

    def refuse(self, key: str, value: Any, expected: str) -> NoReturn:
        """Raise WrongSettings."""
        raise WrongSettings(
            f"Expected {key} in {self.where} to be {expected} but got {key}={value!r} (type={type(value).__name__})"
        )


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint at the nearest name, or at all of them."""
    listed = list(known)
    near = get_close_matches(name, listed, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(listed)}"
