"""The reference rows against the stages that the theorems speak of: the loops around the kernels, on exact rows.

A theorem composes kernels with ghosts (the highest logit, how many are higher, …); a reference row finds those numbers
with ordinary loops. Here both act on the same rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from logitproof.model.rows import PIPELINE
from logitproof.spec import SamplingParams

from .discharge_rows import REAL_KERNELS
from .exact_rows import exact_rows
from .reading import EXACT
from .row import Row
from .stages import STAGES

JUST_BELOW = 1 - 1e-9
"""Off the edge, to the side where the same tokens stay: exact rows sit on it, where a float may round either way."""


def _where(row: Row, flag: Callable[[int], bool]) -> list[int]:
    return [token for token in range(row.size) if flag(token)]


def _uses(stage: str, row: Row) -> dict[str, Any]:
    """The parameters of a request that uses the feature as the exact row says."""
    match stage:
        case "allowed_token_ids":
            return {"allowed_token_ids": _where(row, row.listed) or [row.size]}
        case "bad_words":
            return {"bad_words": [[token] for token in _where(row, row.forbidden)]}
        case "min_tokens":
            return {"min_tokens": 9, "stop_token_ids": _where(row, row.stops)}
        case "logit_bias":
            return {"logit_bias": {token: float(row.bias(token)) for token in range(row.size)}}
        case "top_k":
            return {"top_k": row.k}
    return {
        "repetition_penalty": {"repetition_penalty": float(row.repetition)},
        "frequency_penalty": {"frequency_penalty": float(row.frequency)},
        "presence_penalty": {"presence_penalty": float(row.presence)},
        "temperature": {"temperature": float(row.temperature)},
        "min_p": {"min_p": float(row.min_p) * JUST_BELOW},
        "top_p": {"top_p": float(row.p) * (1 if row.p == 1 else JUST_BELOW)},
    }[stage]


def _executed(stage: str, row: Row) -> list[float]:
    """The stage of the theorems, on exact numbers."""
    after = STAGES[stage](EXACT, REAL_KERNELS, row, row.logit)
    return [float(after(token)) for token in range(row.size)]


def differences() -> Iterator[tuple[str, Row]]:
    """Every feature and exact row for which the reference row is not what the theorems speak of."""
    for row in exact_rows():
        outputs = [-1, *(token for token in range(row.size) for _ in range(row.count(token)))]
        for stage in PIPELINE:
            # A softmax of these logits is the exact rows' distribution, whose base is 2; elsewhere no base enters.
            unit = math.log(2) if stage.name in ("min_p", "top_p") else 1.0
            logits = [float(row.logit(token)) * unit for token in range(row.size)]
            params = SamplingParams(**_uses(stage.name, row))
            found = stage.row(params, _where(row, row.seen), outputs, logits)
            if not _close(found, [logit * unit for logit in _executed(stage.name, row)]):
                yield stage.name, row


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(a == b or abs(a - b) < 1e-9 for a, b in zip(one, other, strict=True))
