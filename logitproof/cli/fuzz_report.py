"""How a fuzzing run is told: to people in 80 columns, to machines as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from logitproof.lockstep import Caught, Report, Verdict, draw_timeline
from logitproof.lockstep.blame import blame
from logitproof.lockstep.timeline import COLUMNS
from logitproof.spec import LAW_BY_ID, Dialect

from .exits import Exit
from .output import rule


def draw_title(seed: int, max_examples: int, dialects: Sequence[Dialect], dtype: str) -> str:
    """The first line: what is needed to run the same again."""
    names = ", ".join(dialect.value for dialect in dialects)
    return f"logitproof fuzz: seed {seed}, {max_examples} histories per dialect ({names}), {dtype}"


def draw_target(report: Report) -> str:
    """One target: where its requests and its reference come from, the verdict, and what was met."""
    target = report.target
    lines = [
        "",
        *_broken(target.name, indent=""),
        *_field("requests", target.params_from),
        *_field("reference", target.reference_from or "none; solo run and rebuild stand in for it"),
        *_field(
            report.verdict.value.upper(),
            f"{report.histories} histories, {report.steps} steps, {report.steps_per_second:.0f} steps/s",
        ),
        *_field("seen", ", ".join(f"{kind} {count}" for kind, count in report.transitions.table().items())),
    ]
    if report.note:
        lines += _field("note", report.note)
    for warning in report.warnings.values():
        lines += _field("warning", f"{warning.oracle} ({warning.law}): {warning.summary}")
    return "\n".join(lines)


def draw_failure(report: Report, caught: Caught, again: str) -> str:
    """One failure: which law, the history, the row, whose state it got, and the command to see it again."""
    finding = caught.findings[0]
    others = dict.fromkeys(other.oracle for other in caught.findings if other.oracle != finding.oracle)
    size = len(caught.history.steps)
    lines = [
        "",
        rule(_heading(report, caught)),
        *_broken(report.target.name, indent=""),
        *wrap(
            f"{finding.oracle} ({finding.law}): {finding.summary}, in step {finding.step} of {size}", COLUMNS
        ),
        *wrap(f"Law {finding.law}: {LAW_BY_ID[finding.law].sentence}", COLUMNS),
    ]
    if others:
        lines += wrap(f"Other oracles that speak in this step: {', '.join(others)}.", COLUMNS)
    if not caught.fails_again:
        lines += wrap(
            "Flaky: seen once, and not when the same history was played again. The target keeps something outside of "
            "its instances and its params (in the class, the module, an object that cannot be copied), or is random. "
            "The history is the one in which it was seen.",
            COLUMNS,
        )
    if report.verdict is Verdict.LATENT:
        lines += wrap(
            "No known engine speaks the redundant dialect, so this is not a failure of today: the processor does not "
            "honour removes before adds, and gets away with it.",
            COLUMNS,
        )
    lines += ["", draw_timeline(caught.history, finding, blame(caught.history, report.target, finding)), ""]
    lines += ["reproduce with:" if caught.fails_again else "try again with:", f"  {again}"]
    return "\n".join(lines)


def _heading(report: Report, caught: Caught) -> str:
    if not caught.fails_again:
        return "FLAKY FAILURE"
    return "LATENT FAULT" if report.verdict is Verdict.LATENT else "FAILURE"


def draw_last_line(reports: Sequence[Report], seed: int, code: Exit) -> str:
    """The last line: the tally, the seed, the exit code."""
    tally = [
        f"{sum(report.verdict is verdict for report in reports)} {verdict.value}"
        for verdict in Verdict
        if any(report.verdict is verdict for report in reports)
    ]
    steps = sum(report.steps for report in reports)
    return f"\n{', '.join(tally)}; {steps} steps; seed {seed}; exit {int(code)}"


def report_json(report: Report, replays: Sequence[str]) -> dict[str, Any]:
    """One entry of `targets`. replays: the command for each failure."""
    return {
        "target": report.target.name,
        "verdict": report.verdict.value,
        "histories": report.histories,
        "steps": report.steps,
        "steps_per_second": round(report.steps_per_second, 1),
        "transitions": report.transitions.table(),
        "findings": [
            {
                "oracle": caught.findings[0].oracle,
                "law": caught.findings[0].law,
                "summary": caught.findings[0].summary,
                "history_steps": len(caught.history.steps),
                "fails_again": caught.fails_again,
                "replay": again,
            }
            for caught, again in zip(report.caught, replays, strict=True)
        ],
        "warnings": [
            {"oracle": warning.oracle, "law": warning.law, "summary": warning.summary}
            for warning in report.warnings.values()
        ],
        "note": report.note,
    }


def _field(name: str, text: str) -> list[str]:
    first, *more = wrap(text, COLUMNS - 14) or [""]
    return [f"  {name:11} {first}", *(" " * 14 + line for line in more)]


def _broken(text: str, indent: str) -> list[str]:
    return wrap(text, COLUMNS, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False)
