"""`logitproof laws`: the traceability table."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from .output import json_option, write_json

if TYPE_CHECKING:
    from logitproof.traceability import Trace

COLUMNS = 80
MOST_TESTS = 3
"""Tests named per law; the rest are counted."""


@click.command()
@json_option
@click.option(
    "--tests",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder to scan for pytest.mark.law.  [default: ./tests, if there is one]",
)
def laws(as_json: bool, tests: Path | None) -> None:
    """Show for every law what proves it, what watches it while fuzzing, and which tests cover it."""
    from logitproof.traceability import trace

    tests = tests or (Path("tests") if Path("tests").is_dir() else None)
    traces = trace(tests)
    gaps = [entry.law.id for entry in traces if entry.is_gap]
    if as_json:
        write_json(
            {
                "laws": [
                    {
                        "id": entry.law.id,
                        "sentence": entry.law.sentence,
                        "source": entry.law.source,
                        "proved_by": entry.proved_by,
                        "watched_by": entry.watched_by,
                        "tests": entry.tests,
                        "gap": entry.is_gap,
                    }
                    for entry in traces
                ],
                "gaps": gaps,
            }
        )
        return
    for entry in traces:
        click.echo("\n".join(_drawn(entry)))
    proved = sum(bool(entry.proved_by) for entry in traces)
    watched = sum(bool(entry.watched_by) for entry in traces)
    tested = sum(bool(entry.tests) for entry in traces)
    click.echo(f"\n{len(traces)} laws: {proved} proved, {watched} watched, {tested} tested")
    if tests is None:
        click.echo("tests were not scanned: run this in a checkout, or name the folder with --tests")
    click.echo(f"gaps, laws that have none of the three: {', '.join(gaps) or 'none'}")


def _drawn(entry: Trace) -> list[str]:
    first, *more = wrap(entry.law.sentence, COLUMNS - 4)
    lines = [f"{entry.law.id}  {first}", *(f"    {line}" for line in more)]
    shown = [name.removeprefix("tests/") for name in entry.tests[:MOST_TESTS]]
    if len(entry.tests) > MOST_TESTS:
        shown.append(f"and {len(entry.tests) - MOST_TESTS} more")
    for title, names in (("proved by", entry.proved_by), ("watched by", entry.watched_by), ("tests", shown)):
        if names:
            start = f"    {title:11}"
            lines += wrap(
                ", ".join(names),
                COLUMNS,
                initial_indent=start,
                subsequent_indent=" " * len(start),
                break_long_words=False,
            )
    if entry.is_gap:
        lines.append("    GAP: nothing proves, watches or tests it")
    return lines
