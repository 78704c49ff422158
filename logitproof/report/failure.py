"""One failure: as a picture of 80 columns, and with everything the picture says as JSON values."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

from logitproof.lockstep import Caught, History, draw_timeline
from logitproof.lockstep.blame import blame
from logitproof.lockstep.difference import ORACLE as DIFFERENCE
from logitproof.lockstep.failures import finding_to_json
from logitproof.lockstep.fault_kind import fault_kind
from logitproof.lockstep.finding import Finding
from logitproof.lockstep.history_json import params_to_json, to_json
from logitproof.lockstep.timeline import COLUMNS, describe
from logitproof.spec import LAW_BY_ID, Dialect
from logitproof.targets import Target

from .kept import Kept
from .lines import broken, rule


def draw_failure(target: Target, caught: Caught, kept: Kept) -> str:
    """Which law, the history, the row, whose state it got, and the command to see it again."""
    return "\n".join([rule(heading(caught)), *told(target, caught), "", *again(caught, kept)])


def heading(caught: Caught) -> str:
    """How bad it is, in two words."""
    if not caught.fails_again:
        return "FLAKY FAILURE"
    return "LATENT FAULT" if is_latent(caught) else "FAILURE"


def is_latent(caught: Caught) -> bool:
    """Whether only a dialect shows it that no known engine speaks."""
    return caught.history.dialect is Dialect.REDUNDANT


def kind_of(target: Target, caught: Caught) -> str | None:
    """The kind of fault, where it is known."""
    if caught.is_strange:
        return "id-range"
    if caught.findings[0].oracle == DIFFERENCE:
        return None
    if not caught.fails_again:
        return "rank-split"  # told the same once more it does something else, as on another rank
    return fault_kind(caught.history, target, caught.findings[0], caught.findings)


def first_line(target: Target, caught: Caught) -> str:
    """Kind of fault where it is known, oracle, law, what is wrong and in which step."""
    finding = caught.findings[0]
    where = f"in step {finding.step} of {len(caught.history.steps)}"
    kind = kind_of(target, caught)
    kind = f"{kind} \u00b7 " if kind not in (None, finding.oracle) else ""
    return f"{kind}{finding.title}: {finding.summary}, {where}"


def told(target: Target, caught: Caught) -> list[str]:
    """The failure without its heading and without how to see it again."""
    finding = caught.findings[0]
    others = dict.fromkeys(other.oracle for other in caught.findings if other.oracle != finding.oracle)
    lines = [
        *broken(target.name),
        *wrap(first_line(target, caught), COLUMNS),
    ]
    if finding.law:
        lines += wrap(f"Law {finding.law}: {LAW_BY_ID[finding.law].sentence}", COLUMNS)
    if finding.place is not None:
        lines += broken(f"Raised by {_from_here(finding.place)}")
    if others:
        lines += wrap(f"Other oracles that speak in this step: {', '.join(others)}.", COLUMNS)
    if not caught.fails_again:
        lines += wrap(
            "Flaky: seen once, and not when the same history was played again. The target keeps something outside of "
            "its instances and its params (in the class, the module, an object that cannot be copied), or is random. "
            "The history is the one in which it was seen.",
            COLUMNS,
        )
    if caught.is_strange:
        lines += wrap(
            "One of the requests has an argument that nobody should send, and that another request suffers from: "
            "refuse it in validate_params with ValueError.",
            COLUMNS,
        )
    if is_latent(caught):
        lines += wrap(
            "No known engine speaks the redundant dialect, so this is not a failure of today: the processor does not "
            "honour removes before adds, and gets away with it.",
            COLUMNS,
        )
    return [*lines, "", draw_finding(target, caught.history, finding, caught.findings)]


def draw_finding(target: Target, history: History, finding: Finding, others: Sequence[Finding] = ()) -> str:
    """The history, and the row that differs; of a consumer, whose rows stand for what it holds, what that is."""
    blamed = None if finding.oracle == DIFFERENCE else blame(history, target, finding, others)
    told, expected, actual = target.told, finding.expected, finding.actual
    if told is None or expected is None or actual is None:
        return draw_timeline(history, finding, blamed)
    lines = [
        draw_timeline(history, replace(finding, given=None)),
        "",
        f"slot {finding.row} ({finding.request}):",
    ]
    for word, row in (("expected", expected), ("held", actual)):
        lines += wrap(
            f"{word}: {told(row) or 'nothing known'}", COLUMNS, initial_indent="  ", subsequent_indent="    "
        )
    return "\n".join(lines)


def _from_here(place: str) -> str:
    """`ValueError at mine.py:12`, with the path as short as it can be."""
    kind, at, where = place.partition(" at ")
    return f"{kind}{at}{where.removeprefix(f'{Path.cwd()}{os.sep}')}"


def again(caught: Caught, kept: Kept) -> list[str]:
    """How to see the failure once more."""
    lines = ["reproduce with:" if caught.fails_again else "try again with:", f"  {kept.command}"]
    if kept.test is not None:
        lines += ["or, as a test:", f"  python -m pytest {kept.test}"]
    return lines + ([*wrap(kept.note, COLUMNS)] if kept.note else [])


def failure_json(target: Target, caught: Caught, kept: Kept) -> dict[str, Any]:
    """Everything about one failure as JSON values."""
    finding, history = caught.findings[0], caught.history
    return {
        "oracle": finding.oracle,
        "law": finding.law,
        "kind": kind_of(target, caught),
        "summary": finding.summary,
        "latent": is_latent(caught),
        "fails_again": caught.fails_again,
        "history_steps": len(history.steps),
        "found_after_steps": caught.found_after,
        "other_oracles": sorted({other.oracle for other in caught.findings} - {finding.oracle}),
        "blame": blame(history, target, finding, caught.findings),
        "finding": finding_to_json(finding),
        "requests": requests_json(history),
        "history": _history(history),
        "replay": kept.command,
        "file": None if kept.file is None else str(kept.file),
        "test": None if kept.test is None else str(kept.test),
    }


def requests_json(history: History) -> list[dict[str, Any]]:
    """Who takes part, with the params that differ from their defaults."""
    told = [(arrival, history.params[arrival.params]) for arrival in history.arrivals()]
    return [
        {"name": arrival.name, "params": _plain(params_to_json(params)), "is": describe(params)}
        for arrival, params in told
    ]


def _history(history: History) -> dict[str, Any]:
    written: dict[str, Any] = _plain(to_json(history))
    return written


def _plain(value: Any) -> Any:
    """Only what JSON knows; anything else by its repr, since `extra_args` may hold any object."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)
