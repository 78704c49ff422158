"""One line on a terminal while a target is fuzzed; nothing anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logitproof.lockstep import Report

MOST_OF_A_NAME = 40


@contextmanager
def shown_progress(
    target: str, doing: str = "", whole: int | None = None
) -> Iterator[Callable[[Report], None] | None]:
    """What to call with the report while it grows, or None where standard error is no terminal.

    doing: what is said until then. whole: how many histories there will be, where that is known.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    name = target if len(target) <= MOST_OF_A_NAME else f"...{target[3 - MOST_OF_A_NAME :]}"
    columns = [SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()]
    if whole is not None:
        columns += [TextColumn("left:"), TimeRemainingColumn()]
    # Not redirecting: what a processor prints is its own affair, and the line is drawn anew below it.
    with Progress(
        *columns,
        console=Console(file=sys.stderr),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task(f"{name}  {doing}".rstrip(), total=whole)

        def show(report: Report) -> None:
            progress.update(
                task,
                completed=report.histories,
                description=f"{name}  {report.histories:,} histories, {report.steps:,} steps",
            )

        yield show
