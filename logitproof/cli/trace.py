"""`logitproof trace`: what a live engine did, checked against the laws of its batch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .exits import Exit, worst
from .main import WrongUsage
from .output import color_option, json_option, write_json

if TYPE_CHECKING:
    from logitproof.trace import Checked


@click.command()
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path, dir_okay=False)
)
@json_option
@color_option
def trace(files: tuple[Path, ...], as_json: bool, no_color: bool) -> None:
    """Check recordings of a live engine against the laws of the batch.

    logitproof.record:Recorder, loaded into an engine like any logits processor, writes a FILE. It is replayed on the
    reference model: which dialect the engine speaks, and every law of sections A to C that a recording can decide.

    Exit 1 if a law is broken, 4 if no update was seen at all.
    """
    from logitproof.trace import NotARecording, check, read

    from .trace_report import checked_json, draw_checked, draw_last_line

    try:
        results = [check(read(path)) for path in files]
    except NotARecording as error:
        raise WrongUsage(str(error)) from None
    codes = [exit_code(result) for result in results]
    code = worst(codes)
    if as_json:
        write_json({"exit": int(code), "recordings": [checked_json(result) for result in results]})
    else:
        for result in results:
            click.echo(draw_checked(result))
        click.echo(draw_last_line(results, code))
    raise SystemExit(int(code))


def exit_code(result: Checked) -> Exit:
    """What one recording means for the shell."""
    if result.violations:
        return Exit.BROKEN
    return Exit.VACUOUS if result.is_vacuous else Exit.HOLDS
