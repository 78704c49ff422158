"""Which kind of fault a failure is, in the words of the fault table, where what is known really says so."""

from __future__ import annotations

from collections.abc import Sequence

from logitproof.targets import Target

from .blame import culprit, hidden_input, sees_no_tokens
from .counterfactual import BY_ROW, WhatIf, came_back, is_alone, left_by, moves, others_came_later
from .finding import Finding
from .history import History
from .private import comes_of_shared_state

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
    "hash-seed": "rank-split",
    "odd-logits": "row-map",
    "reference": "semantics",
}
"""Oracles that watch for one kind only."""

KINDS: dict[str, str] = {
    "stale-slot": "A vacated or recycled row keeps the former tenant's content.",
    "move-lost": "State does not follow the row on a move or a swap.",
    "flag-drift": "A counter, a flag or a cached table is out of step with who is there.",
    "dispatch": "Steps in which nothing happened, so with an update of None, are not followed.",
    "mixed-default": "A plain row beside one that uses the processor gets a default, or that one's option.",
    "row-map": "A logits row is not the request that it is taken for.",
    "lifecycle": "State is not what it was after a resume, a chunk of a prefill, or an arrival with outputs.",
    "spec-rows": "Several tokens of one step are not all counted.",
    "history-view": "The history holds placeholders, comes late, or is a copy that does not grow.",
    "fast-path": "A shortcut skips the processor on a claim that does not hold.",
    "nonfinite": "A row is emptied, or NaN appears.",
    "dtype": "What comes back has another dtype, or it fails only with logits of another one than float32.",
    "id-range": "An argument lies outside its range, and nothing refuses it.",
    "shared-state": "Requests share an object, a buffer or a cache, and one's use of it reaches another.",
    "buffer-race": "A buffer is written to while somebody may still read it.",
    "leak": "What belonged to a request that has ended is kept.",
    "rank-split": "Two copies that are told the same differ.",
    "perf-sync": "Work that nobody needs, or a wait for the device.",
    "semantics": "Even alone, a row is not what the reference says.",
    "silent-drop": "A parameter is accepted and has no effect.",
}
"""The kinds that are named, and what each means. A failure that fits none of them is given none."""


def fault_kind(
    history: History, target: Target, finding: Finding, others: Sequence[Finding] = ()
) -> str | None:
    """A kind, or None. `history` is as small as it could be made: what is still in it is needed.

    others: what else was found in that step.
    """
    if finding.oracle in (*BY_ROW, "copies", "crash") and comes_of_shared_state(history, target, finding):
        return "shared-state"
    if finding.oracle in BY_ORACLE:
        return BY_ORACLE[finding.oracle]
    if hidden_input(finding, others):
        return "rank-split"
    if finding.oracle == "shape" and " dtype " in finding.summary:
        return "dtype"
    if history.dtype != "float32" and finding.oracle in ("crash", "shape"):
        return "dtype"
    if history.padding:
        return "row-map"
    if any(step.accepted for step in history.steps):
        return "spec-rows"
    if finding.oracle == "crash":
        return _of_crash(history, finding)
    if finding.oracle not in BY_ROW or finding.request is None or finding.actual is None:
        return None
    what_if, guilty = WhatIf(history, target, finding), culprit(history, target, finding)
    if is_alone(history, finding.request):
        return _of_one_request(what_if)
    if alone := what_if.alone():
        return _of_one_request(alone)
    if not what_if.with_own_objects():
        return "shared-state"
    if moves(history):
        return _of_moves(history, finding, guilty)
    if left_by(history, finding.step):
        staying = None if came_back(history) else what_if.with_nobody_leaving()
        if staying is None:
            return _of_leaving(history, finding, guilty)
        what_if, history, finding = staying, staying.history, staying.finding
    return _of_neighbours(history, finding, what_if, guilty, others)


def _of_crash(history: History, finding: Finding) -> str | None:
    """What the smallest history cannot do without."""
    if moves(history):
        return "move-lost"
    if any(step.resumed or step.partial for step in history.steps):
        return "lifecycle"  # to arrive with outputs is only the shortest way to have some
    return "stale-slot" if left_by(history, finding.step) else None


def _of_one_request(what_if: WhatIf) -> str | None:
    history, finding = what_if.history, what_if.finding
    if finding.oracle == "rebuild" and not came_back(history) and len(history.steps) > 1:
        if not what_if.with_a_newcomer_in_every_step():
            return "dispatch"
        return "history-view" if sees_no_tokens(history, what_if.target, finding) else "lifecycle"
    if came_back(history) or finding.oracle == "rebuild":
        return "lifecycle"
    return "shared-state" if len(history.steps) > 1 else None  # on how long the instance has been there


def _of_moves(history: History, finding: Finding, guilty: str | None) -> str | None:
    back = {name for step in history.steps[: finding.step] for name in step.resumed}
    if guilty is not None and guilty in left_by(history, finding.step) - back:
        return "stale-slot"
    if guilty is None and finding.actual != finding.given and came_back(history, (str(finding.request),)):
        return "lifecycle"
    return "move-lost"


def _of_leaving(history: History, finding: Finding, guilty: str | None) -> str | None:
    """Somebody has left, and nobody has moved."""
    if guilty is not None:
        return "stale-slot"
    if came_back(history, (str(finding.request),)):
        return "lifecycle"
    return "flag-drift" if finding.actual == finding.given else "stale-slot"


def _of_neighbours(
    history: History, finding: Finding, what_if: WhatIf, guilty: str | None, others: Sequence[Finding]
) -> str | None:
    """Nobody has left or moved: others are there, or come."""
    if what_if.after_the_others_have_left():
        return "shared-state"
    if guilty is not None:
        hit = {finding.request, *(other.request for other in others)}
        return "mixed-default" if finding.oracle == "untouched" and guilty not in hit else "row-map"
    if finding.oracle == "untouched":
        elsewhere = any(finding.actual == other.expected for other in others if other.row != finding.row)
        return "row-map" if elsewhere else "mixed-default"  # the very logits of another row, or a default
    name = str(finding.request)
    if others_came_later(history, name) and what_if.with_plain_neighbours():
        return _of_newcomers(finding, what_if)
    return "row-map"


def _of_newcomers(finding: Finding, what_if: WhatIf) -> str:
    """A plain newcomer is enough to change how one is treated who was there before."""
    if finding.expected == finding.given:
        return "dispatch"  # nor is it treated when it is alone and nothing happens
    later = what_if.after_more_tokens() or finding
    return "flag-drift" if later.actual == later.given else "history-view"
