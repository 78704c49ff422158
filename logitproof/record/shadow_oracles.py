"""The cheap oracles that a shadow runs on one row: its solo run, untouched if it asks for nothing, never emptied."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from .followed_batch import Occupant

TOLERANCE = {torch.float16: 8e-3, torch.bfloat16: 6e-2}
"""Absolute distance that counts as none; other dtypes: `CLOSE`. A kernel may sum in another order, as in lockstep."""
CLOSE = 2e-6


@dataclass(frozen=True, slots=True)
class RowFinding:
    """A broken law, in the words of the lockstep oracles. Rows are float tensors (vocab_size,)."""

    oracle: str
    law: str
    summary: str
    row: int
    given: torch.Tensor
    expected: torch.Tensor | None
    actual: torch.Tensor


def judge_row(
    slot: int,
    request: Occupant,
    given: torch.Tensor,
    actual: torch.Tensor,
    make: Callable[[], Any],
    alone: Any,
) -> RowFinding | None:
    """Compare what the batch did to a row with what a fresh instance does to the request alone (contract D4).

    given, actual: float tensors (vocab_size,), before and after. alone: the update that tells of this request only.
    """
    who = f"row {slot} (r{request.request})"
    if bool(actual.isnan().any()) and not bool(given.isnan().any()):
        return RowFinding(
            "nonfinite", "D8", f"{who} holds a NaN that was not there", slot, given, None, actual
        )
    if bool(given.isfinite().any()) and not bool(actual.isfinite().any()):
        return RowFinding("nonfinite", "D8", f"{who} has no finite logit left", slot, given, None, actual)
    with _same_random_numbers(given.device):
        instance = make()
        instance.update_state(alone)
        expected = instance.apply(given.clone().unsqueeze(0))[0]
    limit = TOLERANCE.get(given.dtype, CLOSE)
    if torch.equal(actual, expected) or torch.allclose(actual, expected, 0.0, limit, equal_nan=True):
        return None
    if torch.equal(expected, given):
        text = f"{who} is left alone when it is alone, yet was changed"
        return RowFinding("untouched", "D2", text, slot, given, expected, actual)
    return RowFinding("solo", "D4", f"{who} differs from its solo run", slot, given, expected, actual)


@contextmanager
def _same_random_numbers(device: torch.device) -> Iterator[None]:
    """A solo run that draws must not move the engine's generators."""
    devices = [] if device.type == "cpu" else [device]
    state = random.getstate()
    with torch.random.fork_rng(devices=devices, device_type=device.type if devices else "cuda"):
        try:
            yield
        finally:
            random.setstate(state)
