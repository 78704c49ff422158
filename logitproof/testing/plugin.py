"""The pytest plugin: options for every check of a session, and failures told as the picture alone.

It is loaded at the start of every pytest run, so it imports neither torch nor hypothesis.
"""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Generator
from contextvars import Token
from pathlib import Path
from typing import Any

import pytest
from _pytest._code.code import ReprExceptionInfo, ReprFileLocation, ReprTracebackNative

from .defaults import ASKED, Asked
from .faults import CheckFailed

HERE = Path(__file__).parents[1]
RANDOM = "random"
FOR_WORKERS = "logitproof_seed"
_TOKEN: pytest.StashKey[Token[Asked]] = pytest.StashKey()


def _seed(text: str) -> int | str:
    if text == RANDOM:
        return text
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected an integer >= 0 or {RANDOM!r} but got {text!r}")
    return int(text)


def _max_examples(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected an integer >= 1 but got {text!r}")
    return int(text)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Two options, which outweigh what the tests themselves say, save a seed that a test spells out."""
    group = parser.getgroup("logitproof")
    group.addoption(
        "--logitproof-seed",
        type=_seed,
        metavar="SEED",
        help=f"Seed of every check_processor that has none of its own; {RANDOM!r} draws a new one and prints it.",
    )
    group.addoption(
        "--logitproof-max-examples",
        type=_max_examples,
        metavar="N",
        help="Histories per dialect of every check_processor, whatever the test says.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the options known to the checks. A worker of pytest-xdist takes the seed that was drawn for all."""
    if config.option.logitproof_seed == RANDOM:
        drawn = secrets.randbelow(2**31)
        config.option.logitproof_seed = getattr(config, "workerinput", {}).get(FOR_WORKERS, drawn)
    asked = Asked(config.option.logitproof_seed, config.option.logitproof_max_examples)
    config.stash[_TOKEN] = ASKED.set(asked)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hand the seed to a worker of pytest-xdist, which reads the command line for itself."""
    node.workerinput[FOR_WORKERS] = node.config.option.logitproof_seed


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave nothing behind for another session in this process."""
    if (token := config.stash.get(_TOKEN, None)) is not None:
        ASKED.reset(token)
        del config.stash[_TOKEN]


def pytest_report_header(config: pytest.Config) -> str | None:
    """The options, if any was given: what is needed to run the same again."""
    given = {
        "seed": config.option.logitproof_seed,
        "max-examples": config.option.logitproof_max_examples,
    }
    told = [f"{name} {value}" for name, value in given.items() if value is not None]
    return f"logitproof: {', '.join(told)}" if told else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failed check is told by its own text, below the line of the test that made it."""
    report = yield
    if call.excinfo is not None and isinstance(call.excinfo.value, CheckFailed) and report.failed:
        report.longrepr = _told(call.excinfo, item.config.invocation_params.dir)
    return report


def _told(raised: pytest.ExceptionInfo[BaseException], folder: Path) -> ReprExceptionInfo:
    failed = raised.value
    assert isinstance(failed, CheckFailed)
    outside = [entry for entry in raised.traceback if not Path(str(entry.path)).is_relative_to(HERE)]
    entry = outside[-1]
    path = Path(str(entry.path))
    shown = path.relative_to(folder) if path.is_relative_to(folder) else path
    lines = [f"{shown}:{entry.lineno + 1}: {str(entry.statement).strip()}\n", "\n"]
    lines += [f"{line}\n" for line in str(failed).splitlines()]
    message = f"{type(failed).__name__}: {failed.summary}"
    where = ReprFileLocation(str(shown), entry.lineno + 1, message)
    return ReprExceptionInfo(reprtraceback=ReprTracebackNative(lines), reprcrash=where)
