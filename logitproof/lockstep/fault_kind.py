"""Which kind of fault a failure is, in the words of the fault table, where what is known really says so."""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.targets import Target

from .blame import culprit, hidden_input
from .finding import Finding
from .history import History

BY_ORACLE: dict[str, str] = {
    "late": "history-view",
    "argmax": "fast-path",
    "claim": "fast-path",
    "nonfinite": "nonfinite",
    "kept": "leak",
    "growth": "leak",
    "copied": "leak",
    "revived": "nonfinite",
    "reused": "buffer-race",
    "copies": "rank-split",
    "written": "shared-state",
    "idle-work": "perf-sync",
    "in-use-work": "perf-sync",
    "dead-parameter": "silent-drop",
    "boundary": "id-range",
    "dtype": "dtype",
}
"""Oracles that watch for one kind only."""

KINDS: dict[str, str] = {
    "stale-slot": "A vacated or recycled row keeps the former tenant's content.",
    "move-lost": "State does not follow the row on a move or a swap.",
    "mixed-default": "A plain row beside one that uses the processor gets a default that changes it.",
    "row-map": "A logits row is not the request that it is taken for.",
    "lifecycle": "State is not what it was after a resume, a chunk of a prefill, or an arrival with outputs.",
    "spec-rows": "Several tokens of one step are not all counted.",
    "history-view": "The history holds placeholders, or comes late.",
    "fast-path": "A shortcut skips the processor on a claim that does not hold.",
    "nonfinite": "A row is emptied, or NaN appears.",
    "dtype": "Only with logits of another dtype than float32.",
    "id-range": "An argument lies outside its range, and nothing refuses it.",
    "shared-state": "What requests share is written to.",
    "buffer-race": "A buffer is written to while somebody may still read it.",
    "leak": "What belonged to a request that has ended is kept.",
    "rank-split": "Two copies that are told the same differ.",
    "perf-sync": "Work that nobody needs, or a wait for the device.",
    "silent-drop": "A parameter is accepted and has no effect.",
}
"""The kinds that are named, and what each means. A failure that fits none of them is given none."""


def fault_kind(
    history: History, target: Target, finding: Finding, others: Sequence[Finding] = ()
) -> str | None:
    """A kind, or None. `history` is as small as it could be made: what is still in it is needed.

    others: what else was found in that step.
    """
    if finding.oracle in BY_ORACLE:
        return BY_ORACLE[finding.oracle]
    if hidden_input(finding, others):
        return "rank-split"
    if history.dtype != "float32" and finding.oracle in ("crash", "shape"):
        return "dtype"
    if history.padding:
        return "row-map"
    if any(step.accepted for step in history.steps):
        return "spec-rows"
    if finding.oracle not in ("untouched", "solo", "rebuild") or finding.request is None:
        return None
    guilty = culprit(history, target, finding)
    if guilty is not None:
        return _whose(history, finding, guilty)
    if _has_moves(history) and finding.actual == finding.given:
        return "move-lost"
    if finding.oracle == "untouched" and not _has_moves(history) and not _left(history, finding.step):
        return "mixed-default"
    return "lifecycle" if _came_back(history, finding.request) else None


def _whose(history: History, finding: Finding, guilty: str) -> str:
    """The row was treated as another request's would be: one that has left, or one that is still there."""
    left = _left(history, finding.step)
    back = {name for step in history.steps[: finding.step] for name in step.resumed}
    if guilty in left - back:
        return "stale-slot"
    return "move-lost" if _has_moves(history) else "row-map"


def _left(history: History, number: int) -> set[str]:
    """Who has left the batch at least once, up to a step."""
    return {name for step in history.steps[:number] for name in (*step.finished, *step.unscheduled)}


def _has_moves(history: History) -> bool:
    """Whether somebody changes slots: by a swap, or since the batch closes a hole."""
    return any(
        step.swaps or len(step.finished) + len(step.unscheduled) > len(step.new) for step in history.steps
    )


def _came_back(history: History, name: str) -> bool:
    arrived = any(arrival.name == name and arrival.outputs for arrival in history.arrivals())
    return arrived or any(name in (*step.resumed, *step.partial) for step in history.steps)
