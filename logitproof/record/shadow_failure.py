"""A shadow's finding as a saved failure, which `logitproof replay` plays again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from logitproof.lockstep.failures import save
from logitproof.lockstep.finding import Finding
from logitproof.lockstep.history import History, first_fault
from logitproof.spec import SamplingParams, check_token_ids
from logitproof.targets.load import wrap_class

from .shadow_history import history_of
from .shadow_oracles import RowFinding
from .shadow_window import Window

MOST_VOCABULARY = 1024
"""Width of the logits that are played again: a real vocabulary would take minutes to draw."""


def save_failure(
    folder: Path,
    cls: type[Any],
    found: RowFinding,
    window: Window,
    vocab: int,
    translate: Callable[[Any], SamplingParams],
) -> Path:
    """Write the failure under `folder`. Raises whatever keeps the steps from being a history that can be played."""
    slots = len(window.batch.slots)
    dtype = str(found.actual.dtype).removeprefix("torch.")
    history = history_of(tuple(window.steps), slots, vocab, dtype, translate)
    history = replace(history, vocab=_width(history))
    fault = first_fault(history)
    if fault is not None:
        raise ValueError(fault)
    request = window.batch.slots[found.row]
    finding = Finding(
        found.oracle,
        found.law,
        found.summary,
        len(history.steps),
        found.row,
        None if request is None else f"R{request.request}",
        _listed(found.given),
        None if found.expected is None else _listed(found.expected),
        _listed(found.actual),
    )
    return save(folder, wrap_class(cls, f"{cls.__module__}:{cls.__qualname__}"), finding, history, None)


def _width(history: History) -> int:
    """Wide enough for every token that is named, no wider than need be."""
    tokens = [token for prompt in history.prompts for token in prompt]
    tokens += [token for arrival in history.arrivals() for token in (*arrival.script, *arrival.outputs)]
    width = min(history.vocab, max(MOST_VOCABULARY, 1 + max(tokens, default=0)))
    try:
        for params in history.params:
            check_token_ids(params, width)
    except ValueError:
        return history.vocab
    return width


def _listed(row: torch.Tensor) -> tuple[float, ...]:
    values: list[float] = row.double().tolist()
    return tuple(values)
