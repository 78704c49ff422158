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
from .output import color_option, dialects_option, json_option, max_examples_option, seed_option, write_json


@click.command()
@click.argument("first", metavar="FIRST")
@click.argument("second", metavar="SECOND")
@click.option(
    "--params", metavar="MODULE:NAME", help="What requests look like; otherwise what FIRST says of itself."
)
@dialects_option
@click.option(
    "--dtype", type=click.Choice(DTYPES), default="float32", show_default=True, help="Of the logits."
)
@seed_option
@max_examples_option
@json_option
@color_option
def diff(
    first: str,
    second: str,
    params: str | None,
    dialects: tuple[str, ...],
    dtype: str,
    seed: int | None,
    max_examples: int,
    as_json: bool,
    no_color: bool,
) -> None:
    """Play the same histories with two processors and show the first row in which they differ.

    For a rewrite, and the processor that it replaces: neither need be right. Exit 1 if they differ, 4 if neither ever
    changed a logit.
    """
    from hypothesis.configuration import set_hypothesis_home_dir

    from logitproof.lockstep import draw_timeline
    from logitproof.lockstep.difference import compare
    from logitproof.lockstep.failures import finding_to_json
    from logitproof.report.failure import requests_json
    from logitproof.targets import TargetError

    chosen = tuple(Dialect(name) for name in dialects) or DIALECTS
    options = FuzzOptions(params=params, dialects=chosen, dtype=dtype, max_examples=max_examples)
    seed = secrets.randbelow(2**31) if seed is None else seed
    set_hypothesis_home_dir(Path(gettempdir()) / "logitproof-hypothesis")
    try:
        left, right = options.load(first), FuzzOptions().load(second)
        with redirect_stdout(sys.stderr):  # what a processor prints must not get into the JSON object
            done = compare(left, right, seed, options)
    except TargetError as error:
        raise WrongUsage(str(error)) from None
    finding, history = done.finding, done.history
    code = Exit.HOLDS if done.changed_a_logit else Exit.VACUOUS
    if finding is not None:
        code = Exit.BROKEN
    if as_json:
        told = {"first": first, "second": second, "seed": seed, "exit": int(code)}
        counted = {"histories": done.histories, "steps": done.steps}
        found = None if finding is None else finding_to_json(finding)
        requests = [] if history is None else requests_json(history)
        write_json({**told, **counted, "difference": found, "requests": requests})
        raise SystemExit(int(code))
    for name, spec in (("first", first), ("second", second)):
        click.echo("\n".join(broken(f"{name:7} {spec}")))
    if finding is not None and history is not None:
        click.echo(f"\n{rule('DIFFERENCE')}")
        click.echo(
            "\n".join(wrap(f"{finding.summary}, in step {finding.step} of {len(history.steps)}", COLUMNS))
        )
        click.echo(f"\n{draw_timeline(history, finding)}\n\nreproduce with:")
        click.echo(f"  logitproof diff {first} {second} --seed {seed}  # and the same options")
    said = {
        Exit.HOLDS: "the same rows everywhere",
        Exit.BROKEN: "they differ",
        Exit.VACUOUS: "neither ever changed a logit, so nothing was compared: say --params",
    }[code]
    click.echo(f"\n{said}; {done.histories} histories, {done.steps} steps; seed {seed}; exit {int(code)}")
    raise SystemExit(int(code))
