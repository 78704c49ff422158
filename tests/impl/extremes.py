"""Requests and rows at the edges of what is allowed: of every field both ends, of the vocabulary both ends."""

from __future__ import annotations

import math
from typing import Any

import torch

from logitproof.spec import SamplingParams

VOCAB = 37
LAST = VOCAB - 1
INF, NAN = math.inf, math.nan
HUGE = 2.0**100
"""About 1e30; a power of two, so that it may be added and taken away again."""
TINY = 1e-40
"""A denormal float32, and 0 in two bytes."""

REQUESTS: dict[str, tuple[dict[str, Any], ...]] = {
    "min_p": ({"min_p": 1.0}, {"min_p": 1e-30}, {"min_p": 0.999_999}, {"min_p": 5e-324}),
    "top_p": ({"top_p": 1e-9}, {"top_p": 1.0}, {"top_p": 0.999_999_9}, {"top_p": 0.5}, {"top_p": 5e-324}),
    "top_k": (
        {"top_k": VOCAB},
        {"top_k": VOCAB + 9},
        {"top_k": 1},
        {"top_k": LAST},
        {"top_k": 0},
        {"top_k": -1},
    ),
    "temperature": tuple({"temperature": t} for t in (0.0, 1e-5, 1e-10, 1e-300, 1e30, 0.999_999_9)),
    "repetition_penalty": tuple({"repetition_penalty": p} for p in (1e-30, 1e30, 1e-300, 1e300, 1.0, 2.0)),
    "frequency_penalty": tuple({"frequency_penalty": p} for p in (-2.0, 2.0, 1e-30, -0.0)),
    "presence_penalty": tuple({"presence_penalty": p} for p in (-2.0, 2.0, 1e-30, -0.0)),
    "logit_bias": (
        {"logit_bias": {0: HUGE, LAST: -HUGE}},
        {"logit_bias": {0: 1e300, LAST: -1e300}},
        {"logit_bias": dict.fromkeys(range(VOCAB), TINY)},
        {"logit_bias": {LAST: 2.0, LAST + 1: 3.0}},
        {"logit_bias": {LAST + 1: 3.0}},
    ),
    "allowed_token_ids": (
        {"allowed_token_ids": [0]},
        {"allowed_token_ids": [LAST, LAST, 0, LAST]},
        {"allowed_token_ids": list(range(VOCAB))},
        {"allowed_token_ids": [LAST, LAST + 1]},
        {"allowed_token_ids": [LAST + 1]},
    ),
    "bad_words": (
        {"bad_words": [[0], [LAST]]},
        {"bad_words": [[token] for token in range(VOCAB)]},
        {"bad_words": [[0, LAST], [0, LAST], [LAST, 0, 0]]},
        {"bad_words": [[LAST + 1], [LAST, LAST + 1]]},
        {"bad_words": [[LAST] * 9]},
    ),
    "min_tokens": (
        {"min_tokens": 5, "stop_token_ids": [0, LAST, LAST], "eos_token_id": 0},
        {"min_tokens": 5, "stop_token_ids": list(range(VOCAB))},
        {"min_tokens": 1, "stop_token_ids": [LAST, LAST + 1]},
        {"min_tokens": 0, "stop_token_ids": [1]},
    ),
}
"""By feature: the fields of some requests."""

TOGETHER: tuple[dict[str, Any], ...] = (
    {"temperature": 1e-5, "min_p": 1.0, "top_k": 1, "top_p": 1e-9},
    {"temperature": 1e30, "top_p": 1.0, "top_k": VOCAB, "min_p": 1e-30},
    {
        "allowed_token_ids": [0, LAST],
        "bad_words": [[0], [LAST]],
        "min_tokens": 9,
        "stop_token_ids": [0, LAST],
    },
    {
        "repetition_penalty": 1e30,
        "presence_penalty": -2.0,
        "frequency_penalty": 2.0,
        "logit_bias": {0: 2.0**15},
    },
    {"logit_bias": {0: 1e30, LAST: -1e30}, "temperature": 1e-5, "top_p": 0.999_999_9},
    {"temperature": 0.0, "min_p": 1.0, "top_k": 1, "top_p": 1e-9, "logit_bias": {LAST: 9.0}},
)
"""Requests that use several features; a bias that two bytes hold, since they round between the stages."""

HISTORIES: tuple[tuple[list[int] | None, list[int]], ...] = (
    (None, []),
    ([], [0]),
    ([0, LAST, 0, 0], [LAST] * 5),
    ([LAST + 1, LAST], [0, 0, -1]),
)
"""Prompts and outputs: none, empty, repeated ids, ids at both ends and outside, a placeholder."""


def rows(dtype: torch.dtype) -> torch.Tensor:
    """Tensor (num_kinds, VOCAB): ordinary, then one odd thing after another."""
    ordinary = torch.randn(VOCAB, generator=torch.Generator().manual_seed(3)) * 3
    kinds = [ordinary, ordinary.round(), torch.zeros(VOCAB), torch.full((VOCAB,), -INF)]
    for odd in (INF, NAN, -INF, HUGE, -HUGE, TINY, -TINY, -0.0):
        for tokens in ([0], [LAST], [0, 5, LAST]):
            kinds.append(ordinary.index_fill(0, torch.tensor(tokens), odd))
    kinds.append(torch.full((VOCAB,), -INF).index_fill(0, torch.tensor([LAST]), -7.0))
    kinds.append(torch.full((VOCAB,), TINY))
    bounds = torch.finfo(dtype)
    kinds.append(
        ordinary.index_fill(0, torch.tensor([0, 7]), bounds.max).index_fill(
            0, torch.tensor([LAST]), bounds.min
        )
    )
    return torch.stack(kinds).to(dtype)


def params(fields: dict[str, Any]) -> SamplingParams:
    """The request, that may go on for ever."""
    return SamplingParams(**{"max_tokens": None, **fields})
