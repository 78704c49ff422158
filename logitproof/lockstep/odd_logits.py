"""A few requests whose logits are columns of a wider buffer, and then, when they have left, logits without rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import torch

from logitproof.spec import BatchUpdate, SamplingParams
from logitproof.targets import Target
from logitproof.targets.load import cpu, engine_config

from .alone import PROMPT, drawn_params
from .bank import bank
from .finding import Finding, Severity
from .loans import own_copy
from .oracles.odd_logits import OddLogits
from .oracles.shape import misfit
from .plain import PLAIN
from .tolerance import SOLO, differing_rows

MOST_DRAWN = 5
OUTPUTS = (1, 2, 1)
MARGIN = 3
"""Columns beyond the vocabulary, as where it is padded."""


def odd_logits(target: Target, dtype: str) -> dict[str, Finding]:
    """The warning by its code; empty if neither makes a difference."""
    pool = [PLAIN, *drawn_params(target, target.vocab, MOST_DRAWN)]
    with torch.inference_mode():
        told = "; ".join(_told(target, pool, bank(0, target.vocab, dtype)[: len(pool)]))
    if not told:
        return {}
    return {OddLogits.code: Finding(OddLogits.code, "D1", told, 2, severity=Severity.WARNING)}


def _told(target: Target, pool: Sequence[SamplingParams], rows: torch.Tensor) -> Iterator[str]:
    beside = rows.new_zeros(len(rows), MARGIN)
    wide = torch.cat([rows, beside], dim=1)
    given = wide[:, : rows.shape[1]]
    try:
        usual = _played(target, pool, rows.repeat(2, 1)[: len(rows)])
        returned = _played(target, pool, given)
    except Exception:  # a view that the form does not allow says so itself; nothing comes back wrong
        return
    if not torch.equal(wide[:, rows.shape[1] :], beside):
        yield "columns beyond the vocabulary are written to where the logits lie in a wider buffer"
    elif differing_rows(returned, usual, SOLO):
        yield "rows come back otherwise where the logits are columns of a wider buffer (`reshape` copies there)"
    try:
        instance = target.make(engine_config(len(pool), rows.shape[1]), cpu(), False)
        instance.update_state(_added(pool))
        instance.update_state(BatchUpdate(0, [*range(len(pool))], [], []))
        if fault := misfit(rows[:0], instance.apply(rows[:0].clone())):
            yield f"of logits without rows it makes something else: {fault}"
    except Exception as error:
        yield f"logits without rows make it raise {type(error).__name__}: {str(error).partition('.')[0]}"


def _added(pool: Sequence[SamplingParams]) -> BatchUpdate:
    added = [(row, own_copy(params), list(PROMPT), list(OUTPUTS)) for row, params in enumerate(pool)]
    return BatchUpdate(len(pool), [], added, [])


def _played(target: Target, pool: Sequence[SamplingParams], logits: torch.Tensor) -> torch.Tensor:
    instance = target.make(engine_config(len(pool), logits.shape[1]), cpu(), False)
    instance.update_state(_added(pool))
    return instance.apply(logits)
