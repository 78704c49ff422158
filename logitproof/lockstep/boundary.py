"""Arguments that nobody should send: refused when the request arrives, or harmless to everybody else (contract D6).

Every value in the requests that the target's strategy draws is replaced by one beyond its range or of another type.
What `validate_params` lets through is played between neighbours, with every oracle watching.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from warnings import catch_warnings, simplefilter

import torch

from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import Target

from .admission import admitted
from .alone import drawn_params, given_alone, rows_alone
from .driver import run
from .edited_params import Place, places, strange_values
from .finding import Figure, Finding, Severity
from .history import Arrival, History, Step
from .oracles.boundary_argument import BoundaryArgument
from .plain import PLAIN

MOST_DRAWN = 20
PER_PLACE = 2
"""Requests in which one value is put into one place: what happens there rarely depends on the rest."""
MOST_EDITS = 300
"""Histories of a few steps: a second or two, however many arguments there are."""
IDLE_STEPS = 4
SHOWN = 3
ANY_TOKEN = re.compile(r"\[-?\d+\]")
"""Keys of a dictionary that are token ids: one place, whichever token it is."""
STRANGE = "X"
"""The request with the strange value."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A request with a strange value in one place."""

    params: SamplingParams
    place: Place
    value: Any

    def __str__(self) -> str:
        what = (
            f"key {self.value!r} in {self.place.name}"
            if self.place.is_key
            else f"{self.place.name}={self.value!r}"
        )
        return what


@dataclass(slots=True)
class Boundary:
    """What strange values did.

    harms: by what happened ("IndexError in apply"), the edits that did it. broken: a history that is a fault, with its
    findings, if there is one.
    """

    tried: int = 0
    harms: dict[str, list[Edit]] = field(default_factory=dict)
    broken: tuple[History, tuple[Finding, ...]] | None = None

    def warning(self) -> Finding | None:
        """All that is no fault: a sentence, and figures by what happened."""
        if not self.harms:
            return None
        harmful = sum(map(len, self.harms.values()))
        what = (
            f"{harmful} of {self.tried} strange arguments that are admitted do harm: refuse them in validate_params "
            f"with ValueError"
        )
        figures = tuple(Figure(harm, len(edits), _named(edits)) for harm, edits in self.harms.items())
        return Finding(
            BoundaryArgument.code, "D6", what, IDLE_STEPS + 1, severity=Severity.WARNING, figures=figures
        )


def _named(edits: Sequence[Edit]) -> str:
    """Some of them; a place is named once for the values that follow each other in it."""
    different = {str(edit): edit for edit in edits}
    told: list[str] = []
    last: str | None = None
    for text, edit in [*different.items()][:SHOWN]:
        told.append(repr(edit.value) if edit.place.name == last and not edit.place.is_key else text)
        last = None if edit.place.is_key else edit.place.name
    return ", ".join([*told, *(["..."] if len(different) > SHOWN else [])])


def boundary_arguments(target: Target, is_strict: bool, dtype: str = "float32") -> Boundary:
    """Try them all, up to the first fault. is_strict: whether what is else a warning is a fault too."""
    result = Boundary()
    # The reference need not know what is right for such a request, and what is refused only as a guess is admitted.
    bare = replace(target, reference=None, validate=target.own_validate or target.validate)
    for edit in _edits(target):
        if not _admitted(edit.params, bare):
            continue
        result.tried += 1
        history = _between_neighbours(edit, bare.vocab, dtype)
        with catch_warnings():
            simplefilter("ignore")  # of torch, about values that nobody should send
            faults = run(history, bare).faults
        harm = _harm(faults)
        if faults and _is_fault(faults[0], edit, is_strict):
            result.broken = history, faults
            return result
        if harm is None and edit.value == -1 and type(edit.value) is int:
            harm = _last_token(edit, bare, bare.vocab, dtype)
        if harm is not None:
            result.harms.setdefault(harm, []).append(edit)
    return result


def _edits(target: Target) -> Iterator[Edit]:
    """Edits of the target's requests, a few for every place and value."""
    is_vllm = target.in_vllms_types
    made: Counter[tuple[str, bool, str]] = Counter()
    for params in drawn_params(target, target.vocab, MOST_DRAWN):
        for place in places(params):
            # What vLLM's users ask for has come through its front end, as JSON.
            if is_vllm and place.field != "extra_args":
                continue
            for value in strange_values(place.old, target.vocab, is_json=is_vllm):
                kind = (ANY_TOKEN.sub("[]", place.name), place.is_key, repr(value))
                edited = place.holding(value)
                if edited is not None and made[kind] < PER_PLACE and made.total() < MOST_EDITS:
                    made[kind] += 1
                    yield Edit(edited, place, value)


def _admitted(params: SamplingParams, target: Target) -> bool:
    try:
        return admitted(params, target, target.vocab)
    except Exception:  # another type than ValueError: the request is refused all the same
        return False


def _between_neighbours(edit: Edit, vocab: int, dtype: str) -> History:
    """A plain request, one as the strategy drew it, the strange one, and a plain one below it."""
    usual = edit.place.put(edit.place.old)
    arrivals = (
        Arrival("P", 0, row=1),
        Arrival("U", 1, row=2, script=(0, 1)),
        Arrival(STRANGE, 2, row=3, script=(2, 1, 0)),
        Arrival("Q", 0, row=4),
    )
    steps = (Step(new=arrivals), *(Step() for _ in range(IDLE_STEPS)))
    return History(
        steps,
        (PLAIN, usual, edit.params),
        ((1, 2, 1, 2, 3),),
        Dialect.ELIDED,
        slots=5,
        vocab=vocab,
        dtype=dtype,
    )


def _harm(faults: tuple[Finding, ...]) -> str | None:
    """What went wrong, in a few words that several edits may share; None if it is nobody else's business."""
    if not faults:
        return None
    first = faults[0]
    if first.oracle in ("crash", "shape"):
        error = (first.place or first.oracle).partition(" at ")[0]
        return f"{error} in {first.summary.partition(' of ')[0]}"
    if any(finding.oracle == "nonfinite" for finding in faults):
        return "no finite logit left"
    return None


def _is_fault(first: Finding, edit: Edit, is_strict: bool) -> bool:
    if first.oracle in ("crash", "shape", "nonfinite"):
        return is_strict or (edit.place.field != "extra_args" and first.oracle != "nonfinite")
    return first.oracle == "guard" or first.request not in (None, STRANGE)


def _last_token(edit: Edit, target: Target, vocab: int, dtype: str) -> str | None:
    """Whether -1 does what `vocab - 1` does in this place, where the value is a token id: seen by what it changes."""
    last = vocab - 1
    if edit.place.old == last or (other := edit.place.holding(last)) is None:
        return None
    given = given_alone(vocab, dtype)
    usual = edit.place.put(edit.place.old)
    rows = [rows_alone(target, params, vocab, dtype) for params in (usual, edit.params, other)]
    changed = [None if each is None else each.nan_to_num() != given.nan_to_num() for each in rows]
    if any(each is None for each in changed):
        return None
    token, strange, meant = changed
    columns = {*(token ^ meant).any(dim=0).nonzero().flatten().tolist()}  # type: ignore[operator]
    is_token = bool(columns) and columns <= {edit.place.old, last}
    return "-1 acts on the last token" if is_token and torch.equal(strange, meant) else None  # type: ignore[arg-type]
