"""How a checked recording is told: to people in 80 columns, to machines as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from logitproof.report.lines import rule
from logitproof.spec import LAW_BY_ID
from logitproof.trace import Checked
from logitproof.trace.checked import DECIDED, UNDECIDABLE
from logitproof.trace.picture import COLUMNS, draw_violation

from .exits import Exit


def dialects(result: Checked) -> str:
    """Which dialect the engine speaks, in words."""
    names = [dialect.value for dialect in sorted(result.spoken, key=lambda dialect: dialect.value)]
    if not result.telling:
        return (
            "not to be told apart: no step had a hole that a move filled, or a slot both removed and refilled"
        )
    return f"{' or '.join(names)} ({result.telling} updates tell)"


def draw_checked(result: Checked) -> str:
    """One recording: dialect, the first violation as a timeline, counts per law, what was seen."""
    lines = [result.recording.path, *_field("dialect", dialects(result))]
    for warning in result.warnings:
        lines += _field("warning", warning)
    if result.violations:
        lines += _first_violation(result)
    lines += ["", *_laws(result), ""]
    if result.unjudged:
        lines += _field(
            "unjudged", f"{result.unjudged} later steps: after the violation the slots were not known"
        )
    lines += _seen(result)
    return "\n".join(lines)


def draw_last_line(results: Sequence[Checked], code: Exit) -> str:
    """The last line: the tally and the exit code."""
    broken = sum(bool(result.violations) for result in results)
    steps = sum(result.seen.steps for result in results)
    vacuous = sum(result.is_vacuous and not result.violations for result in results)
    tally = [f"{len(results) - broken - vacuous} clean"]
    tally += [f"{broken} broken"] if broken else []
    tally += [f"{vacuous} without a single update"] if vacuous else []
    return f"\n{', '.join(tally)}; {steps} steps; exit {int(code)}"


def checked_json(result: Checked) -> dict[str, Any]:
    """One entry of `recordings`."""
    seen, broken = result.seen, result.broken
    return {
        "file": result.recording.path,
        "verdict": "broken" if result.violations else "vacuous" if result.is_vacuous else "clean",
        "dialects": sorted(dialect.value for dialect in result.spoken) if result.telling else [],
        "violations": [
            {
                "law": violation.law,
                "step": violation.step,
                "line": violation.line,
                "summary": violation.summary,
            }
            for violation in result.violations
        ],
        "warnings": result.warnings,
        "laws": {law: {"checked": result.checked[law], "broken": broken[law]} for law in DECIDED},
        "undecidable": UNDECIDABLE,
        "unjudged": result.unjudged,
        "seen": {
            "steps": seen.steps,
            "requests": seen.requests,
            "operations": dict(seen.operations),
            "largest_batch": seen.largest_batch,
            "longest_run_of_swaps": seen.longest_swaps,
            "share_of_none": round(seen.share_of_none, 4),
        },
    }


def _first_violation(result: Checked) -> Iterator[str]:
    first = result.violations[0]
    others = dict.fromkeys(
        other.law for other in result.violations if other.line == first.line and other.law != first.law
    )
    yield ""
    yield rule("VIOLATION")
    yield from wrap(f"{first.law} in step {first.step} (line {first.line}): {first.summary}", COLUMNS)
    yield from wrap(f"Law {first.law}: {LAW_BY_ID[first.law].sentence}", COLUMNS)
    if others:
        yield from wrap(f"Also broken in this step: {', '.join(others)}.", COLUMNS)
    yield ""
    yield draw_violation(result.recording, first)


def _laws(result: Checked) -> Iterator[str]:
    broken = result.broken
    yield f"  {'law':4} {'checked':>8} {'broken':>7}"
    for law in DECIDED:
        yield f"  {law:4} {result.checked[law]:>8} {broken[law]:>7}"
    for law, reason in UNDECIDABLE.items():
        yield f"  {law:4}  not decided: {reason}"


def _seen(result: Checked) -> list[str]:
    seen = result.seen
    operations = ", ".join(f"{kind} {count}" for kind, count in sorted(seen.operations.items())) or "none"
    return [
        *_field("seen", f"{seen.steps} steps, {seen.requests} requests, {seen.returning} of them came back"),
        *_field("operations", operations),
        *_field("batch", f"largest {seen.largest_batch}, longest run of swaps {seen.longest_swaps}"),
        *_field("None", f"{seen.share_of_none:.0%} of the steps"),
    ]


def _field(name: str, text: str) -> list[str]:
    first, *more = wrap(text, COLUMNS - 14) or [""]
    return [f"  {name:11} {first}", *(f"{'':14}{line}" for line in more)]
