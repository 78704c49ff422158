"""`logitproof check`: prove the laws, refute what must be refuted, and show that every proof has teeth."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from logitproof.alarm import OutOfTime, alarm_after

from .exits import Exit
from .output import SECONDS, json_option, write_json

if TYPE_CHECKING:
    from logitproof.proofs import Report


@click.command()
@click.option(
    "--max-time",
    type=SECONDS,
    default=300.0,
    show_default=True,
    help="Seconds after which a run that hangs is given up; the proofs themselves have a deterministic budget.",
)
@json_option
def check(max_time: float, as_json: bool) -> None:
    """Prove the laws: every obligation, the expected refutations, every mutant."""
    try:
        from logitproof.proofs import check as run

        from .check_report import write_report
    except Exception as error:  # somebody is editing the rules: say where, whatever it is
        _give_up(Exit.BROKEN, f"the rules cannot be loaded: {type(error).__name__}: {error}")
    looking_at = ["the start"]

    def progress(what: str) -> None:
        looking_at.append(what)
        _show_progress(what)

    try:
        with alarm_after(max_time):
            report = run(progress)
    except OutOfTime as late:
        _give_up(
            Exit.UNKNOWN,
            f"given up after {max_time:g} s at {looking_at[-1]} ({late}); try a longer --max-time",
        )
    _show_progress("")
    if as_json:
        write_json(as_data(report))
    else:
        write_report(report)
    raise SystemExit(exit_code(report))


def _give_up(code: Exit, reason: str) -> NoReturn:
    click.echo(f"logitproof check: {reason}", err=True)
    raise SystemExit(code)


def exit_code(report: Report) -> Exit:
    """What a run means to the shell; a counterexample outweighs a lost solver, and that outweighs missing teeth."""
    from logitproof.proofs import Verdict

    verdicts = {result.verdict for result in report.results if not result.as_expected}
    if verdicts & {Verdict.REFUTED, Verdict.ERROR, Verdict.PROVED}:
        return Exit.BROKEN
    if Verdict.UNKNOWN in verdicts:
        return Exit.UNKNOWN
    return Exit.HOLDS if report.sound else Exit.VACUOUS


def as_data(report: Report) -> dict[str, Any]:
    """The report as one JSON object."""
    return {
        "obligations": [
            {
                "name": result.name,
                "sentence": result.sentence,
                "laws": list(result.laws),
                "verdict": result.verdict.value,
                "expected": result.expected.value,
                "seconds": round(result.seconds, 4),
                "scope": result.scope,
                "reason": result.reason,
                "counterexample": result.picture,
            }
            for result in report.results
        ],
        "mutants": [
            {
                "name": kills.mutant.name,
                "rule": kills.mutant.rule,
                "killed_by": list(kills.killed_by),
                "equivalent": kills.equivalent,
            }
            for kills in report.kills
        ],
        "seconds": round(report.seconds, 3),
    }


def _show_progress(what: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{what[:79]}")
        sys.stderr.flush()
