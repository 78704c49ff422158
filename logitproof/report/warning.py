"""A warning: as a short aligned block, in one line, and as JSON values."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from logitproof.lockstep.finding import Finding

WIDEST = 34
"""Columns for what is counted: more, and nothing is left beside it."""
BELOW = 6
"""Columns before what does not fit beside."""


def warning_block(warning: Finding, width: int) -> list[str]:
    """Code and law, one sentence, and a line per figure: what, how many, which."""
    lines = wrap(f"{warning.title}: {warning.summary}", width, break_on_hyphens=False)
    what = min(max((len(figure.what) for figure in warning.figures), default=0), WIDEST)
    count = max((len(figure.number) for figure in warning.figures), default=0)
    for figure in warning.figures:
        is_long = len(figure.what) > what
        lines += [f"  {figure.what}"] * is_long
        head = f"  {'' if is_long else figure.what:{what}}{f'  {figure.number:>{count}}' if count else ''}"
        beside = len(head) + 2
        if figure.which and width - beside < max(map(len, figure.which.split())):
            lines.append(head)  # no word is cut: what does not fit beside goes below
            head, beside = " " * (BELOW - 2), BELOW
        told = f"{head}  {figure.which}"
        lines += wrap(told, width, subsequent_indent=" " * beside, break_on_hyphens=False)
    return lines


def warning_line(warning: Finding) -> str:
    """The same in one line."""
    figures = f". {'; '.join(map(str, warning.figures))}" if warning.figures else ""
    return f"{warning.title}: {warning.summary}{figures}"


def warning_json(warning: Finding) -> dict[str, Any]:
    """Everything about it as JSON values."""
    figures = [
        {"what": figure.what, "count": figure.count, "which": figure.which} for figure in warning.figures
    ]
    return {
        "oracle": warning.oracle,
        "law": warning.law,
        "summary": warning.summary,
        "figures": figures,
    }
