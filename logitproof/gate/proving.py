"""The gate's first part: the proofs, as `logitproof check` runs them."""

from __future__ import annotations

import time

from logitproof.alarm import OutOfTime, alarm_after
from logitproof.cli.check import exit_code
from logitproof.cli.exits import Exit

from .part import Part

MAX_TIME = 300.0
"""Seconds after which proofs that hang are given up; usually they take half a minute."""
NAME = "the laws of the batch"


def check_part() -> Part:
    """Prove the laws; a mutant that survives fails as an unproved law does."""
    began = time.perf_counter()
    try:
        from logitproof.proofs import check

        with alarm_after(MAX_TIME):
            report = check()
    except OutOfTime as late:
        return Part(
            "check",
            NAME,
            Exit.UNKNOWN,
            "out of time",
            MAX_TIME,
            notes=(f"given up after {MAX_TIME:g} s ({late})",),
        )
    except Exception as error:  # somebody is editing the rules: whatever it is, the other parts are still run
        return Part(
            "check",
            NAME,
            Exit.BROKEN,
            "FAILED",
            notes=(f"cannot be checked: {type(error).__name__}: {error}",),
        )
    code = exit_code(report)
    notes = []
    if wrong := [result.name for result in report.results if not result.as_expected]:
        notes.append(f"not as expected: {', '.join(wrong)}")
    if surviving := [kills.mutant.name for kills in report.kills if kills.survives]:
        notes.append(f"mutants that no theorem kills: {', '.join(surviving)}")
    if code is not Exit.HOLDS:
        notes.append("details: logitproof check")
    name = f"{NAME}: {len(report.results)} obligations, {len(report.kills)} mutants"
    verdict = {Exit.HOLDS: "holds", Exit.UNKNOWN: "unknown", Exit.VACUOUS: "vacuous"}.get(code, "FAILED")
    return Part("check", name, code, verdict, time.perf_counter() - began, notes=tuple(notes))
