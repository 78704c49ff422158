"""Keeps quiet what a target prints and logs: it is made thousands of times."""

from __future__ import annotations

import io
import logging
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache

STREAMS = (0, 1, 2)


@cache
def guard_streams() -> None:
    """From now on nobody can open a standard stream by its number: a guess for a file may be 1, or True."""
    sys.addaudithook(_refuse_streams)


def _refuse_streams(event: str, args: tuple[object, ...]) -> None:
    if event == "open" and isinstance(args[0], int) and args[0] in STREAMS:
        raise ValueError(f"{args[0]} is a standard stream, and no file for a target to open")


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
