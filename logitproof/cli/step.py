"""`logitproof step`: one engine step, drawn as the contract draws it."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

import click

from logitproof.report.lines import COLUMNS
from logitproof.spec import Dialect

from .main import WrongUsage
from .output import DIALECT_NAMES, json_option, write_json

SLOTS = 48
"""Columns for the slots; the rest of 80 is for operations and remarks."""
NOTHING = "None (nothing was added, removed or moved)"


def _names(context: click.Context, parameter: click.Parameter, value: str) -> list[str]:
    return [name.strip() for name in value.split(",") if name.strip()]


def _pairs(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> list[tuple[int, int]]:
    pairs = []
    for pair in (pair for value in values for pair in value.split(",")):
        left, colon, right = pair.partition(":")
        if not colon or not left.strip().isdecimal() or not right.strip().isdecimal():
            raise WrongUsage(f"Expected --swap as two slots, like 0:1, but got {pair!r}")
        pairs.append((int(left), int(right)))
    return pairs


@click.command()
@click.option("--batch", default="", callback=_names, help="Live requests by slot: A,B,C,D.")
@click.option("--finished", default="", callback=_names, help="Those that leave: A,C.")
@click.option("--new", default="", callback=_names, help="Those that arrive: E.")
@click.option(
    "--swap", "swaps", multiple=True, callback=_pairs, help="Slots the backend swaps: 0:1. Repeatable."
)
@click.option(
    "--dialect",
    type=click.Choice(DIALECT_NAMES),
    default=Dialect.DOCUMENTED.value,
    show_default=True,
    help="How `removed` is worded.",
)
@json_option
def step(
    batch: list[str],
    finished: list[str],
    new: list[str],
    swaps: list[tuple[int, int]],
    dialect: str,
    as_json: bool,
) -> None:
    """Show what one engine step does to a batch, and the update it yields."""
    from logitproof.model import draw_step
    from logitproof.model import step as take_step

    try:
        outcome = take_step(batch, finished, new, swaps, Dialect(dialect))
    except ValueError as error:
        raise WrongUsage(str(error)) from None
    update = outcome.update
    if as_json:
        write_json(
            {
                "batch": outcome.batch,
                "batch_size": len(outcome.batch),
                "removed": update.removed if update else [],
                "added": update.added if update else [],
                "moved": [(source, to, how.name) for source, to, how in update.moved] if update else [],
            }
        )
        return
    click.echo("\n".join(_fitting(draw_step(batch, finished, new, swaps, SLOTS))))
    click.echo()
    click.echo("\n".join(wrap(f"Batch{update}", 80, subsequent_indent=" " * 12)) if update else NOTHING)


def _fitting(drawn: str) -> Iterator[str]:
    """Lines of 80 columns: a remark about a request with a long name goes on in a line below."""
    for line in drawn.splitlines():
        yield from wrap(line, COLUMNS, subsequent_indent=" " * 18) if len(line) > COLUMNS else [line]
