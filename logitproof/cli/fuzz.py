"""`logitproof fuzz`: lockstep fuzzing of one or more targets."""

from __future__ import annotations

import gc
import secrets
from difflib import get_close_matches
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Any

import click

from logitproof.fuzz_options import DIALECTS, DTYPES, FuzzOptions
from logitproof.report.formats import FORMATS
from logitproof.spec import Dialect

from .exits import Exit, worst
from .main import WrongUsage
from .output import (
    FROM_ONE,
    SECONDS,
    arg_option,
    check_early,
    check_writable,
    color_option,
    dialects_option,
    json_option,
    max_examples_option,
    report_dir_option,
    seed_option,
    vocab_option,
    write_json,
)

if TYPE_CHECKING:
    from logitproof.lockstep import Report, Verdict
    from logitproof.lockstep.generate import Source
    from logitproof.report.kept import Kept
    from logitproof.targets import Target


def _formats(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[str, ...]:
    names = tuple(name.strip() for name in (value or "").split(",") if name.strip())
    for name in names:
        if name not in FORMATS:
            near = get_close_matches(name, FORMATS, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise WrongUsage(f"Expected --report to be some of {', '.join(FORMATS)} but got {name!r}{hint}")
    return names


@click.command()
@click.argument("targets", nargs=-1, required=True, metavar="TARGET...")
@click.option(
    "--params",
    metavar="MODULE:NAME",
    help="What requests look like: a hypothesis strategy, or a function of the vocabulary size that returns one.",
)
@arg_option
@vocab_option
@click.option(
    "--consumer", metavar="METHOD", help="For a class that only follows the batch: takes the update."
)
@click.option(
    "--observe",
    metavar="NAME",
    help="Of such a class: the attribute, or module:function, that shows its state by slot.",
)
@click.option(
    "--reference",
    metavar="MODULE:NAME",
    help="What is right: a function (params, prompt, outputs, row) -> row.",
)
@dialects_option
@click.option(
    "--dtype",
    type=click.Choice(DTYPES),
    default="float32",
    show_default=True,
    help="Of the logits; `all` takes turns.",
)
@seed_option
@max_examples_option
@click.option(
    "--max-time",
    type=SECONDS,
    metavar="SECONDS",
    help="Per target, whatever hangs. A run that it cuts short is not clean.  [default: 40, which may be enough]",
)
@click.option("--workers", type=FROM_ONE, default=1, show_default=True, help="Processes that play.")
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
@click.option(
    "--hazards",
    "hazard_names",
    metavar="NAMES",
    multiple=True,
    help="What histories may hold: `resume,chunked` exactly these, `+async,-chunked` the default changed, `all`. "
    "Repeatable.",
)
@click.option(
    "--exhaustive",
    metavar="SCOPE",
    help="Play every history of a scope, such as slots=2,steps=3, instead of random ones.",
)
@click.option("--no-shrink", is_flag=True, help="Show the failure as it was found.")
@click.option(
    "--report",
    "formats",
    callback=_formats,
    metavar="FORMAT,...",
    help="Write junit (junit.xml), json (report.json) or ndjson (report.ndjson) into the report folder.",
)
@report_dir_option("Failures are saved under failures/ in it.")
@json_option
@color_option
def fuzz(
    targets: tuple[str, ...],
    params: str | None,
    args: tuple[str, ...],
    vocab: int | None,
    consumer: str | None,
    observe: str | None,
    reference: str | None,
    dialects: tuple[str, ...],
    dtype: str,
    seed: int | None,
    max_examples: int,
    max_time: float | None,
    workers: int,
    recorded: tuple[Path, ...],
    like: tuple[Path, ...],
    hazard_names: tuple[str, ...],
    exhaustive: str | None,
    no_shrink: bool,
    formats: tuple[str, ...],
    report_dir: Path,
    as_json: bool,
    no_color: bool,
) -> None:
    """Fuzz logits processors in lockstep with the proven model.

    A TARGET is package.module:Name or path/to/file.py:Name, where Name is a processor class (ours, vLLM's, or any
    with update_state and apply), a per-request function or a factory of such. vLLM need not be installed. What
    requests look like is learned from the source and tried, unless --arg or --params says it. Random
    histories of a batch are played on an engine and on the processor; after every step its rows are compared with
    what each request gets alone, with a fresh instance, and with a reference where there is one.

    A failure is made small, drawn, and saved for `logitproof replay`.
    """
    options = FuzzOptions(
        params=params,
        args=args,
        vocab=vocab,
        consumer=consumer,
        observe=observe,
        reference=reference,
        dialects=tuple(Dialect(name) for name in dialects) or DIALECTS,
        dtype=dtype,
        max_examples=max_examples,
        max_time=max_time,
        workers=workers,
        hazards=",".join(hazard_names) or "default",
        exhaustive=exhaustive,
        shrink=not no_shrink,
    )
    if exhaustive is not None and (recorded or like or workers > 1 or seed is not None):
        raise WrongUsage(
            "--exhaustive plays its own histories, in one process: leave --history, --like, --workers, --seed"
        )
    check_early(options, *targets)
    from hypothesis.configuration import set_hypothesis_home_dir

    from logitproof.lockstep import Report, Verdict
    from logitproof.lockstep.exhaustive import how_many
    from logitproof.lockstep.scope import parse_scope
    from logitproof.report.failure import draw_failure
    from logitproof.report.files import write_reports
    from logitproof.targets import TargetError
    from logitproof.targets.quiet import quiet

    from .fuzz_progress import shown_progress
    from .fuzz_report import draw_last_line, draw_target, draw_title, report_json

    shown_seed = None if exhaustive is not None else secrets.randbelow(2**31) if seed is None else seed
    try:
        loaded: list[Target] = []
        for spec in targets:
            with shown_progress(spec, "looking at its requests"):
                loaded.append(options.load(spec))
    except (TargetError, ValueError) as error:
        raise WrongUsage(str(error)) from None
    source = _source(recorded, like)
    if formats:
        check_writable(report_dir)
    say = _silent if as_json else click.echo
    set_hypothesis_home_dir(
        Path(gettempdir()) / "logitproof-hypothesis"
    )  # else a folder where the user stands
    whole = None if exhaustive is None else how_many(parse_scope(exhaustive))
    say(draw_title(shown_seed, options, whole))
    gc.collect()
    gc.freeze()  # what torch and hypothesis have loaded stays: looking through it again costs a tenth of the run
    reports: list[Report] = []
    for target in loaded:
        report = Report(target)
        reports.append(report)
        try:
            # What a processor prints must not get into the JSON object.
            with shown_progress(target.name, "playing", whole) as progress, quiet():
                options.fuzz(target, shown_seed or 0, report, source, progress=progress, last_resort=True)
        except KeyboardInterrupt:
            report.verdict = Verdict.INTERRUPTED
            report.note = "stopped by the user"
        except (TargetError, ValueError) as error:
            raise WrongUsage(str(error)) from None
        say(draw_target(report))
        if report.verdict is Verdict.INTERRUPTED:
            break
    kept = [_kept(report, report_dir, shown_seed, exhaustive) for report in reports]
    for report, places in zip(reports, kept, strict=True):
        for caught, place in zip(report.caught, places, strict=True):
            say()
            say(draw_failure(report.target, caught, place))
    code = worst(exit_of(report.verdict) for report in reports)
    told = [report_json(report, places) for report, places in zip(reports, kept, strict=True)]
    data = {"seed": shown_seed, "exit": int(code), "targets": told}
    try:
        written = write_reports(formats, report_dir, data, reports, kept)
    except OSError as error:
        raise WrongUsage(f"--report-dir {report_dir} cannot be written ({error.strerror})") from None
    if as_json:
        write_json(data)
    else:
        if written:
            say(f"\nwritten: {', '.join(map(str, written))}")
        say(draw_last_line(reports, shown_seed, code))
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


def _kept(report: Report, report_dir: Path, seed: int | None, exhaustive: str | None) -> list[Kept]:
    from logitproof.report.kept import keep

    how = f"--exhaustive {exhaustive}" if seed is None else f"--seed {seed}"
    rerun = f"logitproof fuzz {report.target.name} {how}  # and the same options"
    return [keep(report.target, caught, report_dir, seed, rerun) for caught in report.caught]


def exit_of(verdict: Verdict) -> Exit:
    """What a verdict means to the shell."""
    from logitproof.lockstep import Verdict

    return {
        Verdict.CLEAN: Exit.HOLDS,
        Verdict.FAILED: Exit.BROKEN,
        Verdict.LATENT: Exit.BROKEN,
        Verdict.VACUOUS: Exit.VACUOUS,
        Verdict.OUT_OF_TIME: Exit.UNKNOWN,
        Verdict.INTERRUPTED: Exit.INTERRUPTED,
    }[verdict]
