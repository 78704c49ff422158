"""`logitproof gate`: everything that a repository wants checked, from its pyproject.toml."""

from __future__ import annotations

import os
import sys
from contextlib import chdir
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from logitproof.report.lines import rule

from .exits import Exit
from .main import WrongUsage
from .output import check_writable, color_option, json_option, write_json


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("pyproject.toml"),
    show_default=True,
    metavar="FILE",
    help="Where [tool.logitproof] is; paths in it are taken from its folder.",
)
@click.option(
    "--report-dir",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where junit.xml and new failures go.  [default: report_dir of the settings, else .logitproof]",
)
@json_option
@color_option
def gate(config: Path, report_dir: Path | None, as_json: bool, no_color: bool) -> None:
    """Run all that [tool.logitproof] asks for: proofs, fuzzing, saved failures.

    The summary is also written as junit.xml. The worst part decides about the exit code; 5 is a threshold that was
    missed, or a known finding that is not there any more.
    """
    from logitproof.gate.part import Part, exit_code
    from logitproof.gate.settings import read_settings
    from logitproof.gate.table import WrongSettings
    from logitproof.report.junit import write_junit

    from .gate_report import draw_last_line, draw_summary, gate_json

    try:
        settings = read_settings(config)
    except WrongSettings as error:
        raise WrongUsage(str(error)) from None
    if report_dir is not None:
        settings = replace(settings, report_dir=report_dir.absolute())
    parts: list[Part] = []
    here = Path.cwd()
    with chdir(config.absolute().parent):
        if settings.replays is not None and not settings.replays.is_dir():
            raise WrongUsage(
                f"[tool.logitproof] replays = {str(settings.replays)!r} is no folder in {Path.cwd()}"
            )
        check_writable(settings.report_dir)
        from logitproof.gate.run import run_gate

        try:
            for part in run_gate(settings, date.today(), _progress):
                parts.append(part)
                if part.picture and not as_json:
                    click.echo(f"{part.picture}\n")
        except KeyboardInterrupt:
            parts.append(Part("gate", "stopped by the user", Exit.INTERRUPTED, "interrupted"))
        _progress("")
        code = exit_code(parts)
        junit = settings.report_dir / "junit.xml"
        properties = {"seed": settings.seed, "exit": int(code)}
        try:
            write_junit(junit, "logitproof", [part.case() for part in parts], properties)
        except OSError as error:
            raise WrongUsage(f"{junit} cannot be written ({error.strerror})") from None
        shown = os.path.relpath(junit, here)
    if as_json:
        write_json(gate_json(parts, settings.seed, code))
    else:
        click.echo(rule("GATE"))
        for line in draw_summary(parts):
            click.echo(line)
        click.echo(f"\nwritten: {shown}\n\n{draw_last_line(parts, settings.seed, code)}")
    raise SystemExit(int(code))


def _progress(what: str) -> None:
    """One line that is overwritten, for people only."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{what[:79]}")
        sys.stderr.flush()
