"""How a fuzzing run is told: to people in 80 columns, to machines as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from logitproof.fuzz_options import FuzzOptions
from logitproof.lockstep import Report, Verdict
from logitproof.lockstep.hazards import in_order
from logitproof.report.failure import failure_json
from logitproof.report.kept import Kept
from logitproof.report.lines import broken, field

from .exits import Exit


def draw_title(seed: int, options: FuzzOptions) -> str:
    """The first line: what is needed to run the same again."""
    names = ", ".join(dialect.value for dialect in options.dialects)
    if options.exhaustive is not None:
        return f"logitproof fuzz: every history of {options.exhaustive} ({names}), {options.dtype}"
    title = f"logitproof fuzz: seed {seed}, {options.max_examples} histories per dialect ({names}), {options.dtype}"
    return title if options.hazards == "default" else f"{title}\nhazards: {options.hazards}"


def draw_target(report: Report) -> str:
    """One target: where its requests and its reference come from, the verdict, and what was met."""
    target = report.target
    seen = report.transitions.table(report.hazards)
    lines = [
        "",
        *broken(target.name),
        *(line for word, sentence in target.notes for line in field(word, sentence)),
        *field("requests", target.params_from),
        *field("reference", target.reference_from or "none; solo run and rebuild stand in for it"),
        *field(
            report.verdict.value.upper(),
            f"{report.histories} histories, {report.steps} steps{_speed(report)}",
        ),
        *field("seen", ", ".join(f"{kind} {count}" for kind, count in seen.items())),
    ]
    if report.note:
        lines += field("note", report.note)
    for warning in report.warnings.values():
        lines += field("warning", f"{warning.oracle} ({warning.law}): {warning.summary}")
    return "\n".join(lines)


def draw_last_line(reports: Sequence[Report], seed: int, code: Exit) -> str:
    """The last line: the tally, the seed, the exit code."""
    tally = [
        f"{sum(report.verdict is verdict for report in reports)} {verdict.value}"
        for verdict in Verdict
        if any(report.verdict is verdict for report in reports)
    ]
    steps = sum(report.steps for report in reports)
    return f"\n{', '.join(tally)}; {steps} steps; seed {seed}; exit {int(code)}"


def _speed(report: Report) -> str:
    """Of a run that ended at its first failure it says little: most of it went into starting."""
    is_whole = report.verdict in (Verdict.CLEAN, Verdict.OUT_OF_TIME)
    return f", {report.steps_per_second:.0f} steps/s" if is_whole and report.seconds else ""


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
        "warnings": [
            {"oracle": warning.oracle, "law": warning.law, "summary": warning.summary}
            for warning in report.warnings.values()
        ],
        "note": report.note,
        "requests": report.target.params_from,
        "vocab": report.target.vocab,
        "notes": dict(report.target.notes),
    }
