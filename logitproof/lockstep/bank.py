"""The logits that a history plays: a bank of rows drawn from its seed, the same on every machine and torch version."""

from __future__ import annotations

import random
from functools import lru_cache

import torch

ROWS = 64
STRIDE = 29
"""Odd, so that a request meets every row of the bank before it meets one again."""
BANNED_EVERY = 8
"""One row in eight has tokens that an earlier processor banned."""
BANNED_TOKENS = 3
"""So few that no ordinary stop set bans the rest of a row: what is right then is a matter of taste, not of slots."""

LEVELS: dict[torch.dtype, int] = {torch.float64: 64, torch.float32: 64, torch.float16: 64, torch.bfloat16: 16}
"""Steps per unit: multiples of 1/level below 8 are exact in the dtype, so that a sum of logit and bias often is too."""

DTYPES: dict[str, torch.dtype] = {str(dtype).removeprefix("torch."): dtype for dtype in LEVELS}


LARGE = 4096
"""Above it the bank is drawn by tensor operations: drawing number by number would take seconds."""


@lru_cache(maxsize=64)
def bank(seed: int, vocab: int, dtype: str) -> torch.Tensor:
    """Rows of logits in [-8, 8): tensor (ROWS, vocab). Shared: never write into it."""
    level = LEVELS[DTYPES[dtype]]
    if vocab > LARGE:
        return _large_bank(seed, vocab, dtype)
    source = random.Random(seed)  # random.Random promises the same floats for a seed in every version
    rows = [[int(source.random() * 16 * level) / level - 8 for _ in range(vocab)] for _ in range(ROWS)]
    for number in range(BANNED_EVERY - 1, ROWS, BANNED_EVERY):
        for _ in range(min(BANNED_TOKENS, vocab // 4)):
            rows[number][int(source.random() * vocab)] = float("-inf")
    return torch.tensor(rows, dtype=DTYPES[dtype])


def _large_bank(seed: int, vocab: int, dtype: str) -> torch.Tensor:
    """The same for a vocabulary of a real model: rows are windows on one long row, which whole numbers give.

    Neighbouring rows have nothing in common at any token, which is what telling them apart needs.
    """
    level = LEVELS[DTYPES[dtype]]
    places = torch.arange(1, vocab + ROWS * STRIDE + 1)
    mixed = (places * 2_654_435_761 + seed * 15_485_863) % 4_294_967_291 * 48_271 % 2_147_483_647
    long = ((mixed % (16 * level)).to(torch.float64) / level - 8).to(DTYPES[dtype])
    rows = torch.stack([long[number * STRIDE : number * STRIDE + vocab] for number in range(ROWS)])
    for number in range(BANNED_EVERY - 1, ROWS, BANNED_EVERY):
        rows[number, mixed[number : number + BANNED_TOKENS] % vocab] = float("-inf")
    return rows


def row_number(first: int, outputs: int) -> int:
    """Which row of the bank a request sees: it starts at `first` and has `outputs` output tokens."""
    return (first + STRIDE * outputs) % ROWS
