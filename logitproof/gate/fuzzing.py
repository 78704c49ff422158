"""The gate's second part: one target fuzzed, known findings let pass, thresholds looked at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from logitproof.cli.exits import Exit
from logitproof.cli.fuzz import exit_of
from logitproof.lockstep import Caught, Finding, Report, Verdict
from logitproof.report.advice import as_settings
from logitproof.report.failure import draw_failure, failure_json, first_line
from logitproof.report.kept import keep
from logitproof.targets import TargetError
from logitproof.targets.quiet import quiet

from .known import Baseline
from .part import Part
from .settings import Settings, Wanted


def fuzz_part(wanted: Wanted, settings: Settings, baseline: Baseline) -> Part:
    """Fuzz one target."""

    def known(finding: Finding) -> bool:
        return baseline.lets_pass(wanted.target, finding.oracle, finding.law)

    try:
        with quiet():  # what a processor prints must not get into the JSON object
            report = Report(wanted.options.load(wanted.target))
            wanted.options.fuzz(report.target, settings.seed, report, known=known)
    except (TargetError, ValueError) as error:
        return Part("fuzz", wanted.target, Exit.USAGE, "not run", notes=(as_settings(str(error)),))
    except KeyboardInterrupt:
        report.verdict, report.note = Verdict.INTERRUPTED, "stopped by the user"
    part = Part(
        "fuzz",
        wanted.target,
        exit_of(report.verdict),
        report.verdict.value,
        report.seconds,
        report.steps,
        (*([as_settings(report.note)] if report.note else []), *_let_pass(wanted.target, baseline)),
        warnings=tuple(replace(each, summary=as_settings(each.summary)) for each in report.warnings.values()),
        data={"histories": report.histories, "transitions": report.transitions.table()},
    )
    if report.caught:
        return _failed(part, report, report.caught[0], settings, baseline)
    missed = tuple(missed_thresholds(report, wanted))
    if missed and part.code is Exit.HOLDS:
        return replace(part, code=Exit.GATE, verdict="missed", notes=(*missed, *part.notes))
    return part


def _failed(part: Part, report: Report, caught: Caught, settings: Settings, baseline: Baseline) -> Part:
    rerun = f"logitproof fuzz {part.name} --seed {settings.seed}  # and the options of the gate"
    kept = keep(report.target, caught, settings.report_dir, settings.seed, rerun)
    finding = caught.findings[0]
    notes = [first_line(report.target, caught)]
    if (was := baseline.expired(part.name, finding.oracle, finding.law)) is not None:
        notes.append(f"It was known until {was.expires}: {was.reason}")
    return replace(
        part,
        verdict=part.verdict.upper(),
        notes=(*notes, *part.notes),
        picture=draw_failure(report.target, caught, kept),
        data=part.data | {"finding": failure_json(report.target, caught, kept)},
    )


def _let_pass(target: str, baseline: Baseline) -> Iterator[str]:
    for known in baseline.of(target):
        if times := baseline.met[known]:
            yield f"{known} is known until {known.expires}, met {times} times: {known.reason}"


def missed_thresholds(report: Report, wanted: Wanted) -> Iterator[str]:
    """Thresholds of the settings that a clean run has missed."""
    seen = report.transitions.table(report.hazards)
    absent = [kind for kind, count in seen.items() if not count]
    share = 1 - len(absent) / len(seen)
    if report.steps < wanted.min_steps:
        yield f"{report.steps:,} steps, and min_steps = {wanted.min_steps}: raise max_examples"
    if share < wanted.coverage:
        yield (
            f"{share:.0%} of the kinds of operation, and coverage = {wanted.coverage:g}: "
            f"there was never {', '.join(absent)}"
        )
