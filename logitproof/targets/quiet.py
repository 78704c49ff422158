"""Keeps quiet what a target prints and logs: it is made thousands of times."""

from __future__ import annotations

import io
import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache

_guards: list[object] = []
"""Calls of a target with guesses that are under way in this process."""


@contextmanager
def no_open_files() -> Iterator[None]:
    """Within it nobody can open a file by its number: a guess for a path may be 1, or True, and would close it."""
    _listen()
    _guards.append(None)
    try:
        yield
    finally:
        _guards.pop()


@cache
def _listen() -> None:
    sys.addaudithook(_refuse_numbers)


def _refuse_numbers(event: str, args: tuple[object, ...]) -> None:
    if _guards and event == "open" and isinstance(args[0], int):
        raise ValueError(f"{args[0]} is the number of an open file, and no path")


@contextmanager
def quiet() -> Iterator[None]:
    """Within it, nothing that a target prints, logs or warns of is shown."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
