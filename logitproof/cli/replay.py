"""`logitproof replay`: saved failures once more, to see whether they still fail."""

from __future__ import annotations

from math import inf
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from logitproof.report.lines import rule

from .exits import Exit, worst
from .main import WrongUsage
from .output import color_option, json_option, report_dir_option, write_json

if TYPE_CHECKING:
    from logitproof.lockstep import Run
    from logitproof.lockstep.failures import Failure
    from logitproof.targets import Target


@click.command()
@click.argument("failure", required=False, metavar="[ID|FILE]")
@report_dir_option("Where failures were saved.")
@json_option
@color_option
def replay(failure: str | None, report_dir: Path, as_json: bool, no_color: bool) -> None:
    """Run saved failures again: all of them, or the one in this FILE or with this ID (its beginning is enough).

    Exit 1 if one still fails, 0 if all are mended, 4 if there is none. One that was flaky when it was saved may be
    clean by chance: then 3.
    """
    results: list[tuple[Path, Failure, Target, Run]] = []
    unplayable: list[str] = []
    for path in _chosen(failure, report_dir):
        try:
            results.append((path, *_again(path)))
        except WrongUsage as error:  # one vanished target must not keep the others from being run
            unplayable.append(error.message)
    if len(unplayable) == 1 and not results:
        raise WrongUsage(unplayable[0])
    verdicts = [_verdict(saved, result) for _, saved, _, result in results]
    if as_json:
        write_json(
            {
                "failures": [
                    {
                        "id": saved.id,
                        "target": saved.target,
                        "verdict": _verdict(saved, result),
                        "oracle": result.faults[0].oracle if result.faults else saved.oracle,
                        "law": result.faults[0].law if result.faults else saved.law,
                        "summary": result.faults[0].summary if result.faults else saved.summary,
                        "history_steps": len(saved.history.steps),
                        "seed": saved.seed,
                        "replay": f"logitproof replay {path}",
                    }
                    for path, saved, _, result in results
                ],
                "unplayable": unplayable,
            }
        )
    else:
        for path, saved, target, result in results:
            _draw(path, saved, target, result)
        for reason in unplayable:
            click.echo(f"cannot be run: {reason}", err=True)
        click.echo(_last_line(verdicts, len(unplayable), report_dir))
    meaning = {"failed": Exit.BROKEN, "not seen again": Exit.UNKNOWN, "clean": Exit.HOLDS}
    codes = [*(meaning[verdict] for verdict in verdicts), *(Exit.USAGE for _ in unplayable)]
    raise SystemExit(int(worst(codes)))


def _verdict(saved: Failure, result: Run) -> str:
    if result.faults:
        return "failed"
    return "clean" if saved.fails_again else "not seen again"


def _chosen(failure: str | None, report_dir: Path) -> list[Path]:
    from logitproof.lockstep.saved import NoSuchFailure, find_saved, saved

    if failure is None:
        return saved(report_dir)
    try:
        return [find_saved(failure, report_dir)]
    except NoSuchFailure as error:
        raise WrongUsage(str(error)) from None


def _again(path: Path) -> tuple[Failure, Target, Run]:
    import torch

    from logitproof.lockstep.again import play_again
    from logitproof.lockstep.failures import load
    from logitproof.lockstep.history_json import CorruptHistory
    from logitproof.lockstep.outcome import CALL_LIMIT
    from logitproof.lockstep.watchdog import Watchdog
    from logitproof.targets import TargetError

    torch.set_num_threads(1)
    try:
        saved = load(path)
        with Watchdog(CALL_LIMIT, inf, last_resort=True) as watchdog:
            return saved, *play_again(saved, thorough=True, beat=watchdog.beat)
    except CorruptHistory as error:
        raise WrongUsage(str(error)) from None
    except TargetError as error:
        raise WrongUsage(f"{path}: {error}") from None


def _draw(path: Path, saved: Failure, target: Target, result: Run) -> None:
    from logitproof.lockstep import Caught
    from logitproof.lockstep.finding import titled
    from logitproof.report.failure import told

    if not result.faults:
        said = (
            "mended"
            if saved.fails_again
            else "not seen again, nor when it was saved; so it need not be mended"
        )
        was = f"{path}: {said}. It was {titled(saved.oracle, saved.law)}: {saved.summary}"
        click.echo("\n".join(wrap(was, 80, subsequent_indent="  ")) + "\n")
        return
    caught = Caught(result.faults, saved.history, found_after=0)
    click.echo("\n".join([rule("STILL FAILS"), *told(target, caught)]))
    click.echo("\nreproduce with:")
    click.echo(f"  logitproof replay {path}")
    click.echo("" if saved.seed is None else f"found with seed {saved.seed}\n")


def _last_line(verdicts: list[str], unplayable: int, report_dir: Path) -> str:
    if not verdicts and not unplayable:
        return f"no saved failures under {report_dir}; `logitproof fuzz TARGET` saves what it finds (exit 4)"
    flaky = verdicts.count("not seen again")
    told = f"{verdicts.count('clean')} mended, {verdicts.count('failed')} still failing"
    told += f", {flaky} not seen again" if flaky else ""
    return told + (f", {unplayable} not run" if unplayable else "")
