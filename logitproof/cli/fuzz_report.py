"""How a fuzzing run is told: to people in 80 columns, to machines as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from logitproof.fuzz_options import FuzzOptions
from logitproof.lockstep import Report, Verdict
from logitproof.lockstep.hazards import in_order
from logitproof.report.failure import failure_json
from logitproof.report.kept import Kept
from logitproof.report.lines import BESIDE, beside, broken, field
from logitproof.report.warning import warning_block, warning_json

from .exits import Exit

SEEN_COLUMNS = 3
"""Of 24 columns each, with a gap between them."""


def draw_title(seed: int | None, options: FuzzOptions, whole: int | None = None) -> str:
    """What is needed to run the same again. whole: how many histories an exhaustive run has."""
    names = ", ".join(dialect.value for dialect in options.dialects)
    if options.exhaustive is not None:
        return f"logitproof fuzz: all {whole:,} histories of {options.exhaustive} ({names}), {options.dtype}"
    title = f"logitproof fuzz: seed {seed}, {options.max_examples:,} histories per dialect ({names}), {options.dtype}"
    return title if options.hazards == "default" else f"{title}\nhazards: {options.hazards}"


def draw_target(report: Report) -> str:
    """One target: where its requests and its reference come from, the verdict, and what was met."""
    target = report.target
    lines = [
        "",
        *broken(target.name),
        *(line for word, sentence in target.notes for line in field(word, sentence)),
        *field("requests", target.params_from),
        *field("reference", target.reference_from or "none; solo run and rebuild stand in for it"),
        *field(
            report.verdict.value.upper(),
            f"{report.histories:,} histories, {report.steps:,} steps{_speed(report)}",
        ),
    ]
    if report.note:
        lines += field("note", report.note)
    for warning in report.warnings.values():
        lines += beside("warning", warning_block(warning, BESIDE))
    return "\n".join(lines + _seen(report))


def _seen(report: Report) -> list[str]:
    """Every kind of operation and how often it was met; of a run that a failure ended, only how many were."""
    counts = report.transitions.table(report.hazards)
    if report.caught:
        met = sum(bool(count) for count in counts.values())
        return field("seen", f"{met} of {len(counts)} kinds of operation, up to the failure")
    shown = [f"{_short(kind):16}{count:>7,}" for kind, count in counts.items()]
    rows = -(-len(shown) // SEEN_COLUMNS)
    lines = ["   ".join(shown[row::rows]) for row in range(rows)]
    return ["  seen, how often", *(f"    {line}" for line in lines)]


def _short(kind: str) -> str:
    new, replaces, old = kind.partition("-replaces-")
    return f"{old}->{new}" if replaces else kind


def draw_last_line(reports: Sequence[Report], seed: int | None, code: Exit) -> str:
    """The last line: the tally, the seed if chance had a part in it, the exit code."""
    tally = [
        f"{sum(report.verdict is verdict for report in reports)} {verdict.value}"
        for verdict in Verdict
        if any(report.verdict is verdict for report in reports)
    ]
    steps = sum(report.steps for report in reports)
    return (
        f"\n{', '.join(tally)}; {steps:,} steps{'' if seed is None else f'; seed {seed}'}; exit {int(code)}"
    )


def _speed(report: Report) -> str:
    """Of a run that ended at its first failure it says little: most of it went into starting."""
    is_whole = report.verdict in (Verdict.CLEAN, Verdict.OUT_OF_TIME)
    return f", {report.steps_per_second:,.0f} steps/s" if is_whole and report.seconds else ""


def report_json(report: Report, kept: Sequence[Kept]) -> dict[str, Any]:
    """One entry of `targets`. kept: where each of its failures is."""
    return {
        "target": report.target.name,
        "verdict": report.verdict.value,
        "histories": report.histories,
        "steps": report.steps,
        "steps_per_second": round(report.steps_per_second, 1),
        "transitions": report.transitions.table(),
        "hazards": [hazard.value for hazard in in_order(report.hazards)],
        "unsupported": [hazard.value for hazard in in_order(report.unsupported)],
        "findings": [
            failure_json(report.target, caught, again)
            for caught, again in zip(report.caught, kept, strict=True)
        ],
        "warnings": [*map(warning_json, report.warnings.values())],
        "note": report.note,
        "requests": report.target.params_from,
        "vocab": report.target.vocab,
        "notes": dict(report.target.notes),
    }
