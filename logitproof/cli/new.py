"""`logitproof new`: a test file for a target, to start from."""

from __future__ import annotations

from pathlib import Path

import click

from logitproof.fuzz_options import FuzzOptions

from .main import WrongUsage
from .output import check_early, json_option, write_json


@click.command()
@click.argument("target", metavar="TARGET")
@click.option("--params", metavar="MODULE:NAME", help="What requests look like, as for `fuzz`.")
@click.option("--reference", metavar="MODULE:NAME", help="What is right, as for `fuzz`.")
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write; - is standard output.  [default: test_NAME.py here]",
)
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@json_option
def new(
    target: str, params: str | None, reference: str | None, output: Path | None, force: bool, as_json: bool
) -> None:
    """Write a pytest file that checks TARGET. It runs as it is.

    What requests look like is spelled out in it, as it was learned from the target, for you to edit.
    """
    options = FuzzOptions(params=params, reference=reference)
    check_early(options, target)
    from logitproof.targets import TargetError
    from logitproof.testing.written_test import file_name, written_test

    try:
        loaded = options.load(target)
    except TargetError as error:
        raise WrongUsage(str(error)) from None
    text = written_test(loaded, params, reference)
    if output is not None and str(output) == "-":
        click.echo(text, nl=False)
        return
    path = output or Path(file_name(loaded))
    try:
        with path.open("w" if force else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise WrongUsage(f"{path} exists; --force overwrites it, --output FILE writes another") from None
    except OSError as error:
        raise WrongUsage(
            f"{path} cannot be written ({error.strerror}); --output FILE writes another"
        ) from None
    if as_json:
        write_json({"file": str(path), "target": target})
    else:
        click.echo(f"{path} written. Run it from here:\n  python -m pytest {path}")
