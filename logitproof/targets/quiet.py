"""Keeps quiet what a target prints and logs: it is made thousands of times."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


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
