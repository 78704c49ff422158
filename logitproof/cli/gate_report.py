"""The gate's summary: one table of 80 columns, one last line; the same as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from logitproof.gate.part import Part
from logitproof.report.lines import COLUMNS, broken
from logitproof.report.warning import warning_block, warning_json

from .exits import Exit

KIND, NAME, VERDICT, STEPS, SECONDS = 6, 40, 14, 8, 6
"""Widths of the columns; with a space between them they fill 78 of 80."""

WARNING = f"{'':{KIND + 3}}warning  "


def draw_summary(parts: Sequence[Part]) -> Iterator[str]:
    """The table, notes below their lines."""
    yield f"{'part':{KIND}} {'of what':{NAME}} {'verdict':{VERDICT}} {'steps':>{STEPS}} {'s':>{SECONDS}}"
    for part in parts:
        first, *more = broken(part.name, NAME, indent="")
        steps = "" if part.steps is None else f"{part.steps:,}"
        seconds = f"{part.seconds:.1f}" if part.seconds else ""
        yield (
            f"{part.kind:{KIND}} {first:{NAME}} {part.verdict:{VERDICT}} {steps:>{STEPS}} {seconds:>{SECONDS}}"
        ).rstrip()
        yield from (f"{'':{KIND}} {line}" for line in more)
        for note in part.notes:
            indent = " " * (KIND + 3)
            yield from wrap(
                note, COLUMNS, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
            )
        for warning in part.warnings:
            first, *more = warning_block(warning, COLUMNS - len(WARNING))
            yield f"{WARNING}{first}"
            yield from (f"{'':{len(WARNING)}}{line}" for line in more)


def draw_last_line(parts: Sequence[Part], seed: int, code: Exit) -> str:
    """The tally of verdicts, the worst first, the seed, the exit code."""
    tally = Counter(part.verdict for part in sorted(parts, key=lambda part: part.code, reverse=True))
    told = ", ".join(f"{count} {verdict}" for verdict, count in tally.items()) or "nothing was asked for"
    return f"{told}; seed {seed}; exit {int(code)}"


def gate_json(parts: Sequence[Part], seed: int, code: Exit) -> dict[str, Any]:
    """Everything as one object."""
    return {
        "seed": seed,
        "exit": int(code),
        "parts": [
            {
                "kind": part.kind,
                "name": part.name,
                "verdict": part.verdict,
                "exit": int(part.code),
                "seconds": round(part.seconds, 3),
                "steps": part.steps,
                "notes": list(part.notes),
                "warnings": [*map(warning_json, part.warnings)],
                **part.data,
            }
            for part in parts
        ],
    }
