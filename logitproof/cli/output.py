"""What all commands share in how they write: JSON as exactly one object, and options with one meaning everywhere."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from logitproof.spec import Dialect

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


def write_json(data: dict[str, Any]) -> None:
    """The object on standard output. NaN and infinities become text, since JSON has none."""
    click.echo(json.dumps(_finite(data), ensure_ascii=False, allow_nan=False))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def rule(title: str = "", fill: str = "=") -> str:
    """A line across 80 columns with a title in its middle."""
    return f" {title} ".center(80, fill) if title else fill * 80
