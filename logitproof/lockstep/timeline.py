"""A failing history drawn as the contract draws its worked examples: 80 columns, no colour needed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import fields
from textwrap import wrap

from logitproof.model import step
from logitproof.model.picture import step_lines
from logitproof.spec import SamplingParams

from .finding import Finding
from .history import History, Step
from .plain import PLAIN

COLUMNS = 80
MOST_TOKENS = 6
"""Differing tokens shown of a row."""
COLUMN_NAMES = {"rebuild": ("fresh", "this one")}
"""Where two instances differ and either may be wrong, the columns say whose row it is."""
MOST_STEPS = 12
"""Steps shown of a history that could not be shrunk: the last ones."""


def draw_timeline(history: History, finding: Finding, blamed: str | None = None) -> str:
    """The requests, the steps, and the row that differs. blamed: a sentence that says whose state the row got."""
    lines = [*_requests(history), ""]
    lines += _steps(history, finding.step)
    if finding.given is not None and finding.actual is not None:
        lines += ["", *_row(finding)]
    if blamed:
        lines += ["", blamed]
    return "\n".join(lines)


def describe(params: SamplingParams) -> str:
    """`min_p=0.5`: the fields that differ from their defaults; `plain` if none does."""
    different = []
    for field in fields(params):
        value = getattr(params, field.name)
        if value != getattr(PLAIN, field.name):
            shown = list(value) if isinstance(value, tuple) else value
            different.append(f"{field.name}={shown}")
    return ", ".join(different) or "plain"


def _requests(history: History) -> Iterator[str]:
    arrivals = list(history.arrivals())
    width = max((len(arrival.name) for arrival in arrivals), default=1)
    for arrival in arrivals:
        about = describe(history.params[arrival.params])
        if arrival.prompt is None:
            about += "; no prompt ids"
        if arrival.outputs:
            about += f"; arrives with outputs {list(arrival.outputs)}"
        first, *more = wrap(about, COLUMNS - width - 4) or [""]
        yield f"  {arrival.name:{width}}  {first}"
        for line in more:
            yield f"  {'':{width}}  {line}"


def _steps(history: History, last: int) -> Iterator[str]:
    batch: list[str] = []
    shown = range(max(1, last - MOST_STEPS + 1), last + 1)
    if shown.start > 1:
        yield f"  ({shown.start - 1} earlier steps are not shown)"
    drawings: list[tuple[str, str, str]] = []
    updates: dict[int, list[str]] = {}
    for number, played in enumerate(history.steps[:last], start=1):
        leaving = (*played.finished, *played.unscheduled)
        newcomers = [*(arrival.name for arrival in played.new), *played.resumed]
        outcome = step(batch, leaving, newcomers, played.swaps, history.dialect)
        if number in shown:
            first, *operations = step_lines(batch, leaving, newcomers, played.swaps)
            drawings.append((f"step {number}", first[1], "; ".join(_remarks(played, history))))
            drawings += [(f"  {operation}", slots, remark) for operation, slots, remark in operations]
            if number == last:
                updates[len(drawings)] = _told(outcome.update, history)
        batch = outcome.batch
    yield from _aligned(drawings, updates)


def _remarks(played: Step, history: History) -> Iterator[str]:
    if played.finished:
        yield f"finished {','.join(played.finished)}"
    if played.unscheduled:
        yield f"unscheduled {','.join(played.unscheduled)}"
    if played.resumed:
        yield f"resumed {','.join(played.resumed)}"
    if played.partial:
        yield f"tokens of {','.join(played.partial)} thrown away"
    if played.is_idle:
        yield "nothing changes"


def _told(update: object, history: History) -> list[str]:
    told = f"update_state({'None' if update is None else f'Batch{update}'})"
    return [f"  {line}" for line in wrap(told, COLUMNS - 4, subsequent_indent="  ")] + [
        f"  dialect: {history.dialect.value}"
    ]


def _aligned(drawings: Sequence[tuple[str, str, str]], updates: dict[int, list[str]]) -> Iterator[str]:
    operations = max((len(operation) for operation, _, _ in drawings), default=0)
    slots = min(28, max((len(drawn) for _, drawn, _ in drawings), default=0))
    for number, (operation, drawn, remark) in enumerate(drawings, start=1):
        arrow = "->" if operation.startswith(" ") else "  "
        line = f"  {operation:{operations}} {arrow} {drawn:{slots}}   {remark}".rstrip()
        yield from (
            wrap(line, COLUMNS, subsequent_indent=" " * (operations + 6), drop_whitespace=False)
            if len(line) > COLUMNS
            else [line]
        )
        yield from updates.get(number, [])


def _row(finding: Finding) -> Iterator[str]:
    assert finding.given is not None
    assert finding.actual is not None
    wanted = finding.expected or finding.given
    differing = [
        token
        for token, (one, other) in enumerate(zip(wanted, finding.actual, strict=True))
        if not _equal(one, other)
    ]
    differing = differing or list(range(len(wanted)))
    yield f"logits row {finding.row} ({finding.request}) in step {finding.step}, where it differs:"
    right, wrong = COLUMN_NAMES.get(finding.oracle, ("expected", "actual"))
    yield f"  {'token':>8}  {'given':>12}  {right:>12}  {wrong:>12}"
    for token in differing[:MOST_TOKENS]:
        numbers = (finding.given[token], wanted[token], finding.actual[token])
        yield f"  {token:>8}  " + "  ".join(f"{number:>12.7g}" for number in numbers)
    if len(differing) > MOST_TOKENS:
        yield f"  and {len(differing) - MOST_TOKENS} more tokens"


def _equal(left: float, right: float) -> bool:
    return left == right or (math.isnan(left) and math.isnan(right))
