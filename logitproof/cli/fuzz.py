"""`logitproof fuzz`: lockstep fuzzing of one or more targets."""

from __future__ import annotations

import secrets
import sys
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import TYPE_CHECKING, Any

import click

from .exits import WORST_FIRST, Exit
from .main import WrongUsage
from .output import DIALECT_NAMES, color_option, json_option, report_dir_option, write_json

if TYPE_CHECKING:
    from logitproof.lockstep import Caught, Report
    from logitproof.lockstep.campaign import Source
    from logitproof.targets import Target

DTYPES = ("float32", "bfloat16", "float16", "all")


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option(
    "--params",
    metavar="MODULE:NAME",
    help="What requests look like: a hypothesis strategy, or a function of the vocabulary size that returns one.",
)
@click.option(
    "--reference",
    metavar="MODULE:NAME",
    help="What is right: a function (params, prompt, outputs, row) -> row.",
)
@click.option(
    "--dialect",
    "dialects",
    multiple=True,
    type=click.Choice(DIALECT_NAMES),
    help="How `removed` is worded. Repeatable.  [default: documented and elided]",
)
@click.option(
    "--dtype",
    type=click.Choice(DTYPES),
    default="float32",
    show_default=True,
    help="Of the logits; `all` takes turns.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), help="Same seed, same run.  [default: a new one, printed]"
)
@click.option(
    "--max-examples",
    type=click.IntRange(min=1),
    default=150,
    show_default=True,
    help="Histories per dialect.",
)
@click.option(
    "--max-time", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Per target."
)
@click.option(
    "--history",
    "recorded",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Play what a live engine did, from a recording (see `logitproof trace`). Repeatable.",
)
@click.option(
    "--like",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Generate histories with the statistics of a recording. Repeatable.",
)
@click.option("--no-shrink", is_flag=True, help="Show the failure as it was found.")
@report_dir_option("Failures are saved under failures/ in it.")
@json_option
@color_option
def fuzz(
    targets: tuple[str, ...],
    params: str | None,
    reference: str | None,
    dialects: tuple[str, ...],
    dtype: str,
    seed: int | None,
    max_examples: int,
    max_time: float | None,
    recorded: tuple[Path, ...],
    like: tuple[Path, ...],
    no_shrink: bool,
    report_dir: Path,
    as_json: bool,
    no_color: bool,
) -> None:
    """Fuzz logits processors in lockstep with the proven model.

    A TARGET is package.module:Name or path/to/file.py:Name, where Name is a processor class, ours or vLLM's. Random
    histories of a batch are played on an engine and on the processor; after every step its rows are compared with
    what each request gets alone, with a fresh instance, and with a reference where there is one.

    A failure is made small, drawn, and saved for `logitproof replay`.
    """
    from hypothesis.configuration import set_hypothesis_home_dir

    from logitproof.lockstep import DEFAULT_DIALECTS, Budget, Report, Verdict
    from logitproof.lockstep import fuzz as run_campaign
    from logitproof.spec import Dialect
    from logitproof.targets import TargetError, load_target

    from .fuzz_report import draw_failure, draw_last_line, draw_target, draw_title, report_json

    chosen = tuple(Dialect(name) for name in dict.fromkeys(dialects)) or DEFAULT_DIALECTS
    seed = secrets.randbelow(2**31) if seed is None else seed
    try:
        loaded: list[Target] = [load_target(spec, params, reference) for spec in targets]
    except TargetError as error:
        raise WrongUsage(str(error)) from None
    source = _source(recorded, like)
    say = _silent if as_json else click.echo
    set_hypothesis_home_dir(
        Path(gettempdir()) / "logitproof-hypothesis"
    )  # else a folder where the user stands
    say(draw_title(seed, max_examples, chosen, dtype))
    reports: list[Report] = []
    for target in loaded:
        report = Report(target)
        reports.append(report)
        try:
            budget = Budget(max_examples, max_time, not no_shrink)
            with redirect_stdout(sys.stderr):  # what a processor prints must not get into the JSON object
                run_campaign(target, seed, chosen, budget, dtype, report, source)
        except KeyboardInterrupt:
            report.verdict = Verdict.INTERRUPTED
            report.note = "stopped by the user"
        except TargetError as error:
            raise WrongUsage(str(error)) from None
        say(draw_target(report))
        if report.verdict is Verdict.INTERRUPTED:
            break
    replays = {id(report): _saved(report, report_dir, seed) for report in reports}
    for report in reports:
        for caught, again in zip(report.caught, replays[id(report)], strict=True):
            say(draw_failure(report, caught, again))
    code = _exit_code(reports)
    if as_json:
        write_json(
            {"seed": seed, "targets": [report_json(report, replays[id(report)]) for report in reports]}
        )
    else:
        say(draw_last_line(reports, seed, code))
    raise SystemExit(int(code))


def _source(recorded: tuple[Path, ...], like: tuple[Path, ...]) -> Source | None:
    """Where histories come from, or None for freely generated ones."""
    if not (recorded or like):
        return None
    if recorded and like:
        raise WrongUsage(
            "--history plays recordings, --like generates after their statistics: give one of them"
        )
    from logitproof.trace import NotARecording, read
    from logitproof.trace.history import from_recordings
    from logitproof.trace.like import like_recordings

    try:
        recordings = [read(path) for path in recorded or like]
        return from_recordings(recordings) if recorded else like_recordings(recordings)
    except NotARecording as error:
        raise WrongUsage(str(error)) from None


def _silent(message: Any = None) -> None:
    """Nothing but the JSON object may reach standard output."""


def _saved(report: Report, report_dir: Path, seed: int) -> list[str]:
    """The commands that show the failures again, which are saved if JSON can hold them."""
    return [_command(report.target, caught, report_dir, seed) for caught in report.caught]


def _command(target: Target, caught: Caught, report_dir: Path, seed: int) -> str:
    from logitproof.lockstep.failures import Unwritable, save

    try:
        path = save(report_dir, target, caught.findings[0], caught.history, seed, caught.fails_again)
    except OSError as error:
        elsewhere = Path(mkdtemp(prefix="logitproof-"))
        click.echo(
            f"Warning: --report-dir {report_dir} cannot be written ({error.strerror}); saved under {elsewhere}",
            err=True,
        )
        return _command(target, caught, elsewhere, seed)
    except Unwritable as error:
        return f"logitproof fuzz {target.name} --seed {seed}  # and the same options; not saved: {error}"
    return f"logitproof replay {path}"


def _exit_code(reports: list[Report]) -> Exit:
    from logitproof.lockstep import Verdict

    meaning = {
        Verdict.CLEAN: Exit.HOLDS,
        Verdict.FAILED: Exit.BROKEN,
        Verdict.LATENT: Exit.BROKEN,
        Verdict.VACUOUS: Exit.VACUOUS,
        Verdict.OUT_OF_TIME: Exit.UNKNOWN,
        Verdict.INTERRUPTED: Exit.INTERRUPTED,
    }
    codes = {meaning[report.verdict] for report in reports}
    return next(code for code in WORST_FIRST if code in codes)
