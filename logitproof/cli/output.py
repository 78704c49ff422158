"""What all commands share in how they write: JSON as exactly one object, and options with one meaning everywhere."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

import click

from logitproof.fuzz_options import MAX_EXAMPLES
from logitproof.report.json_line import in_json
from logitproof.spec import Dialect

from .main import WrongUsage

Function = TypeVar("Function", bound=Callable[..., Any])

DIALECT_NAMES = [dialect.value for dialect in Dialect]


def json_option(function: Function) -> Function:
    """`--json`."""
    return click.option(
        "--json", "as_json", is_flag=True, help="One JSON object on standard output, nothing else."
    )(function)


def color_option(function: Function) -> Function:
    """`--no-color`."""
    return click.option(
        "--no-color", is_flag=True, help="No colour; nothing is said by colour alone anyway."
    )(function)


def report_dir_option(help: str) -> Callable[[Function], Function]:
    """`--report-dir`."""
    return click.option(
        "--report-dir",
        type=click.Path(path_type=Path, file_okay=False),
        default=Path(".logitproof"),
        show_default=True,
        help=help,
    )


def check_writable(folder: Path) -> None:
    """Make the folder of the reports before a long run, not after it. Raises WrongUsage: it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise WrongUsage(
            f"--report-dir {folder} cannot be written ({error.strerror}); name another folder"
        ) from None


def dialects_option(function: Function) -> Function:
    """`--dialect`, as often as wanted."""
    return click.option(
        "--dialect",
        "dialects",
        multiple=True,
        type=click.Choice(DIALECT_NAMES),
        help="How `removed` is worded. Repeatable.  [default: documented and elided]",
    )(function)


def seed_option(function: Function) -> Function:
    """`--seed`."""
    return click.option(
        "--seed", type=click.IntRange(min=0), help="Same seed, same run.  [default: a new one, printed]"
    )(function)


def max_examples_option(function: Function) -> Function:
    """`--max-examples`."""
    return click.option(
        "--max-examples",
        type=click.IntRange(min=1),
        default=MAX_EXAMPLES,
        show_default=True,
        help="Histories per dialect.",
    )(function)


def write_json(data: dict[str, Any]) -> None:
    """The object on standard output."""
    click.echo(in_json(data))
