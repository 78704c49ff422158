"""The files of `--report`: what a fuzzing run says, for CI servers and other programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from logitproof.lockstep import Report, Verdict

from .failure import again, first_line, told
from .formats import FORMATS
from .json_line import in_json
from .junit import Case, Outcome, write_junit
from .kept import Kept
from .lines import COLUMNS
from .warning import warning_block


def write_reports(
    names: Sequence[str],
    report_dir: Path,
    data: dict[str, Any],
    reports: Sequence[Report],
    kept: Sequence[Sequence[Kept]],
) -> list[Path]:
    """Write the reports that are asked for. data: the object of `--json`. Raises OSError."""
    paths = [report_dir / FORMATS[name] for name in dict.fromkeys(names)]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.name == FORMATS["junit"]:
            cases = [fuzz_case(report, places) for report, places in zip(reports, kept, strict=True)]
            write_junit(path, "logitproof", cases, {"seed": data["seed"], "exit": data["exit"]})
        elif path.name == FORMATS["json"]:
            path.write_text(in_json(data) + "\n", encoding="utf-8")
        else:
            path.write_text("".join(f"{in_json(line)}\n" for line in _lines(data)), encoding="utf-8")
    return paths


def fuzz_case(report: Report, kept: Sequence[Kept]) -> Case:
    """One target as a test case."""
    seen = f"{report.histories:,} histories, {report.steps:,} steps"
    warned = [line for warning in report.warnings.values() for line in warning_block(warning, COLUMNS)]
    properties = {"verdict": report.verdict.value, "histories": report.histories, "steps": report.steps}
    case = Case(
        "fuzz",
        report.target.name,
        Outcome.PASSED,
        report.seconds,
        text=seen,
        aside="\n".join(warned),
        properties=properties,
    )
    if report.caught:
        caught = report.caught[0]
        text = "\n".join([*told(report.target, caught), "", *again(caught, kept[0])])
        return replace(case, outcome=Outcome.FAILED, message=first_line(report.target, caught), text=text)
    if report.verdict is Verdict.CLEAN:
        return case
    message = f"{report.verdict.value}: {report.note}"
    return replace(case, outcome=Outcome.ERROR, message=message, text=f"{message}\n{seen}")


def _lines(data: dict[str, Any]) -> list[dict[str, Any]]:
    start = {
        "event": "start",
        **{key: value for key, value in data.items() if key not in ("targets", "exit")},
    }
    each = [{"event": "target", **target} for target in data["targets"]]
    return [start, *each, {"event": "end", "exit": data["exit"]}]
