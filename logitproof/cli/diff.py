"""`logitproof diff`: two processors through the same histories."""

from __future__ import annotations

import secrets
import sys
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import gettempdir
from textwrap import wrap

import click

from logitproof.fuzz_options import DIALECTS, DTYPES, FuzzOptions
from logitproof.report.lines import COLUMNS, broken, rule
from logitproof.spec import Dialect

from .exits import Exit
from .main import WrongUsage
from .output import (
    arg_option,
    check_early,
    color_option,
    dialects_option,
    json_option,
    max_examples_option,
    report_dir_option,
    seed_option,
    vocab_option,
    write_json,
)


@click.command()
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@click.option(
    "--params", metavar="MODULE:NAME", help="What requests look like; otherwise what FIRST says of itself."
)
@arg_option
@vocab_option
@dialects_option
@click.option(
    "--dtype", type=click.Choice(DTYPES), default="float32", show_default=True, help="Of the logits."
)
@seed_option
@max_examples_option
@report_dir_option("What differs is saved under failures/ in it.")
@json_option
@color_option
def diff(
    first: str,
    second: str,
    params: str | None,
    args: tuple[str, ...],
    vocab: int | None,
    dialects: tuple[str, ...],
    dtype: str,
    seed: int | None,
    max_examples: int,
    report_dir: Path,
    as_json: bool,
    no_color: bool,
) -> None:
    """Play the same histories with two processors and show the first row in which they differ.

    For a rewrite, and the processor that it replaces: neither need be right. Exit 1 if they differ, 4 if neither ever
    changed a logit.
    """
    chosen = tuple(Dialect(name) for name in dialects) or DIALECTS
    options = FuzzOptions(
        params=params, args=args, vocab=vocab, dialects=chosen, dtype=dtype, max_examples=max_examples
    )
    check_early(options, first, second)
    from hypothesis.configuration import set_hypothesis_home_dir

    from logitproof.lockstep import Caught, draw_timeline
    from logitproof.lockstep.difference import compare
    from logitproof.lockstep.failures import finding_to_json
    from logitproof.report.failure import again, requests_json
    from logitproof.report.kept import keep
    from logitproof.targets import TargetError

    seed = secrets.randbelow(2**31) if seed is None else seed
    set_hypothesis_home_dir(Path(gettempdir()) / "logitproof-hypothesis")
    try:
        left = options.load(first)
        right = FuzzOptions(vocab=left.vocab).load(second)
        with redirect_stdout(sys.stderr):  # what a processor prints must not get into the JSON object
            done = compare(left, right, seed, options)
    except TargetError as error:
        raise WrongUsage(str(error)) from None
    finding, history = done.finding, done.history
    code = Exit.HOLDS if done.changed_a_logit else Exit.VACUOUS
    kept = None
    if finding is not None and history is not None:
        code = Exit.BROKEN
        rerun = f"logitproof diff {first} {second} --seed {seed}  # and the same options"
        caught = Caught((finding,), history, done.steps)
        kept = keep(left, caught, report_dir, seed, rerun, second)
    if as_json:
        told = {"first": first, "second": second, "seed": seed, "exit": int(code)}
        counted = {"histories": done.histories, "steps": done.steps}
        found = None if finding is None else finding_to_json(finding)
        requests = [] if history is None else requests_json(history)
        replay = None if kept is None else kept.command
        write_json({**told, **counted, "difference": found, "requests": requests, "replay": replay})
        raise SystemExit(int(code))
    for name, spec in (("first", first), ("second", second)):
        click.echo("\n".join(broken(f"{name:7} {spec}")))
    if finding is not None and history is not None and kept is not None:
        click.echo(f"\n{rule('DIFFERENCE')}")
        click.echo(
            "\n".join(wrap(f"{finding.summary}, in step {finding.step} of {len(history.steps)}", COLUMNS))
        )
        click.echo("\n".join(["", draw_timeline(history, finding), "", *again(caught, kept)]))
    said = {
        Exit.HOLDS: "the same rows everywhere",
        Exit.BROKEN: "they differ",
        Exit.VACUOUS: "neither ever changed a logit, so nothing was compared: say --arg or --params",
    }[code]
    click.echo(f"\n{said}; {done.histories:,} histories, {done.steps:,} steps; seed {seed}; exit {int(code)}")
    raise SystemExit(int(code))
