"""What all commands share in how they write: JSON as exactly one object, and options with one meaning everywhere."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

import click

from logitproof.fuzz_options import LEAST_VOCAB, MAX_EXAMPLES, FuzzOptions
from logitproof.report.json_line import in_json
from logitproof.spec import Dialect

from .main import WrongUsage

Function = TypeVar("Function", bound=Callable[..., Any])

DIALECT_NAMES = [dialect.value for dialect in Dialect]


class Number(click.ParamType):  # type: ignore[type-arg]  # no generic before click 8.4
    """A number from a lowest one on; a mistake is told as everywhere: expected this, got that."""

    name = "number"

    def __init__(self, kind: type[int] | type[float], low: float, expected: str) -> None:
        """expected: "an integer >= 0". low: the lowest one; of floats, below all of them."""
        self._kind, self._low, self._expected = kind, low, expected

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | float:
        try:
            number = self._kind(value)
        except ValueError:
            number = None
        is_low = number is not None and (number < self._low or (self._kind is float and number == self._low))
        if number is None or is_low or not math.isfinite(number):
            option = param.opts[0] if param is not None else "a number"
            raise WrongUsage(f"Expected {option} to be {self._expected} but got {value!r}")
        return number


SECONDS = Number(float, 0.0, "a number of seconds > 0")
FROM_ONE = Number(int, 1, "an integer >= 1")


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
        "--seed",
        type=Number(int, 0, "an integer >= 0"),
        help="Same seed, same run.  [default: a new one, printed]",
    )(function)


def max_examples_option(function: Function) -> Function:
    """`--max-examples`."""
    return click.option(
        "--max-examples",
        type=FROM_ONE,
        default=MAX_EXAMPLES,
        show_default=True,
        help="Histories per dialect.",
    )(function)


def arg_option(function: Function) -> Function:
    """`--arg`, as often as wanted."""
    return click.option(
        "--arg",
        "args",
        multiple=True,
        metavar="NAME=KIND",
        help="An argument of requests: target_token=token, bias=float:0.5..4.0, on=bool, mode=choice:a,b, "
        "ids=list:token, k=optional:int:1..5. NAME is a field of SamplingParams or a key of extra_args. Repeatable.",
    )(function)


def vocab_option(function: Function) -> Function:
    """`--vocab`."""
    return click.option(
        "--vocab",
        type=Number(int, LEAST_VOCAB, f"an integer >= {LEAST_VOCAB}"),
        metavar="N",
        help="Width of the logits.  [default: 32, or what the token ids in the source need]",
    )(function)


def check_early(options: FuzzOptions, *targets: str) -> None:
    """What can be told before torch is loaded is told before it is. Raises WrongUsage."""
    from logitproof.targets.errors import TargetError

    try:
        options.check(*targets)
    except (TargetError, ValueError) as error:
        raise WrongUsage(str(error)) from None


def write_json(data: dict[str, Any]) -> None:
    """The object on standard output."""
    click.echo(in_json(data))
