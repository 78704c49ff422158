"""A failing history drawn as the contract draws its worked examples: 80 columns, no colour needed."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from textwrap import wrap
from typing import Any

from logitproof.model import step
from logitproof.model.picture import step_lines
from logitproof.spec import SamplingParams

from .finding import Finding
from .history import Arrival, History, Step
from .plain import PLAIN

COLUMNS = 80
MOST_TOKENS = 6
"""Differing tokens shown of a row."""
MOST_OUTPUTS = 16
"""Outputs of an arrival that are shown in full."""
COLUMN_NAMES = {
    "rebuild": ("fresh", "this one"),
    "difference": ("first", "second"),
    "hash-seed": ("one", "the other"),
}
"""Where two instances differ and either may be wrong, the columns say whose row it is."""
MOST_STEPS = 6
"""Steps shown of a history that could not be shrunk: the last ones."""
MOST_REQUESTS = 10
"""Requests shown: of a history that could not be shrunk those in the last step, first of all the two it is about."""
MOST_SLOTS = 34
"""Columns for the slots of a batch; of a larger one only those are shown that a step touches."""
MOST_TOLD = 6
"""Lines of the last update."""


def draw_timeline(history: History, finding: Finding, blamed: str | None = None) -> str:
    """The requests, the steps, and the row that differs. blamed: a sentence that says whose state the row got."""
    lines = [*_requests(history, finding, blamed or ""), ""]
    lines += _steps(history, finding.step)
    if finding.given is not None and finding.actual is not None:
        lines += ["", *_row(finding)]
    if blamed:
        lines += ["", *wrap(blamed, COLUMNS)]
    return "\n".join(lines)


def describe(params: SamplingParams) -> str:
    """`min_p=0.5`: the fields that differ from their defaults; `plain` if none does."""
    different = []
    for field in fields(params):
        value = getattr(params, field.name)
        if value != getattr(PLAIN, field.name):
            shown = _as_lists(value) if isinstance(value, tuple) else value
            different.append(f"{field.name}={shown}")
    return ", ".join(different) or "plain"


def _as_lists(value: Any) -> Any:
    return [_as_lists(item) for item in value] if isinstance(value, tuple) else value


def _requests(history: History, finding: Finding, blamed: str) -> Iterator[str]:
    everybody = list(history.arrivals())
    arrivals = _that_matter(history, finding, blamed) if len(everybody) > MOST_REQUESTS else everybody
    width = max((len(arrival.name) for arrival in arrivals), default=1)
    for arrival in arrivals:
        about = describe(history.params[arrival.params])
        if arrival.prompt is None:
            about += "; no prompt ids"
        if arrival.outputs:
            about += f"; arrives with {_listed(arrival.outputs)}"
        first, *more = wrap(about, COLUMNS - width - 4) or [""]
        yield f"  {arrival.name:{width}}  {first}"
        for line in more:
            yield f"  {'':{width}}  {line}"
    if len(arrivals) < len(everybody):
        yield f"  and {len(everybody) - len(arrivals)} more requests, not needed for the picture"


def _listed(outputs: tuple[int, ...]) -> str:
    if len(outputs) <= MOST_OUTPUTS:
        return f"outputs {list(outputs)}"
    begin = ", ".join(map(str, outputs[: MOST_OUTPUTS // 2]))
    return f"{len(outputs)} outputs [{begin}, ...]"


def _that_matter(history: History, finding: Finding, blamed: str) -> list[Arrival]:
    """At most MOST_REQUESTS: who it is about, whose state they got, and who was there in the last step."""
    live: list[str] = []
    present: list[str] = []
    for played in history.steps[: finding.step]:
        leaving = {*played.finished, *played.unscheduled}
        newcomers = [*(arrival.name for arrival in played.new), *played.resumed]
        present = [*live, *newcomers]
        live = [name for name in live if name not in leaving] + newcomers
    about = [finding.request, *re.findall(r"\w+", blamed.partition(") ")[2])]
    known = {arrival.name: arrival for arrival in history.arrivals()}
    chosen = [name for name in dict.fromkeys([*about, *present]) if name in known][:MOST_REQUESTS]
    return [arrival for name, arrival in known.items() if name in chosen]


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
            first, *operations = step_lines(batch, leaving, newcomers, played.swaps, MOST_SLOTS)
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
    for name in dict.fromkeys(played.accepted):
        yield f"{name} gets {1 + played.accepted.count(name)} tokens"
    if played.is_idle:
        yield "nothing changes"


def _told(update: object, history: History) -> list[str]:
    told = f"update_state({'None' if update is None else f'Batch{update}'})"
    lines = wrap(told, COLUMNS - 4, subsequent_indent="  ")
    if len(lines) > MOST_TOLD:
        lines = [*lines[:MOST_TOLD], "  ..."]
    return [
        *(f"  {line}" for line in lines),
        f"  dialect: {history.dialect.value}",
        *(
            [f"  async: a sampled token is -1 for {history.lag} step{'s' * (history.lag > 1)}"]
            if history.lag
            else []
        ),
        *([f"  padded: the logits have {history.padding} more rows"] if history.padding else []),
    ]


def _aligned(drawings: Sequence[tuple[str, str, str]], updates: dict[int, list[str]]) -> Iterator[str]:
    operations = max((len(operation) for operation, _, _ in drawings), default=0)
    slots = max((len(drawn) for _, drawn, _ in drawings), default=0)
    for number, (operation, drawn, remark) in enumerate(drawings, start=1):
        arrow = "->" if operation.startswith(" ") else "  "
        line = f"  {operation:{operations}} {arrow} {drawn:{slots}}   {remark}".rstrip()
        if len(line) <= COLUMNS:
            yield line
        else:  # a remark about many requests: below, as far to the right as the slots begin
            indent = " " * (operations + 6)
            yield line[: operations + 6 + slots].rstrip()
            yield from wrap(remark, COLUMNS, initial_indent=indent, subsequent_indent=indent)
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
