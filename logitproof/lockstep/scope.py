"""How far an exhaustive run goes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """slots: requests that the batch holds at most. kinds: plain ones, and so many less one that ask for something."""

    slots: int
    steps: int
    kinds: int = 2


def parse_scope(text: str) -> Scope:
    """`slots=3,steps=3` or `slots=2,steps=3,kinds=3`. Raises ValueError, in one line."""
    given = {}
    for part in text.split(","):
        name, _, number = part.partition("=")
        if name.strip() not in ("slots", "steps", "kinds") or not number.strip().isdigit() or int(number) < 1:
            raise ValueError(
                f"Expected slots=N,steps=N with numbers from 1, as in slots=3,steps=3, but got {text!r}"
            )
        given[name.strip()] = int(number)
    if "slots" not in given or "steps" not in given:
        raise ValueError(f"Expected both slots and steps, as in slots=3,steps=3, but got {text!r}")
    return Scope(**given)
