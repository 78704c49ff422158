"""Tokens are drawn with their probability, and never a banned one."""

from __future__ import annotations

import math

import pytest
import torch

from logitproof.impl.inverse_cdf import draw_tokens

INF = math.inf


def draw(row, uniform):
    logits = torch.tensor([row]).expand(len(uniform), -1)
    return draw_tokens(logits, torch.tensor(uniform, dtype=torch.float64)).tolist()


def test_each_token_owns_its_share_of_the_unit_interval():
    row = [math.log(weight) for weight in (0.5, 0.25, 0.25)]
    assert draw(row, [0.0, 0.49, 0.51, 0.74, 0.76, 1 - 2**-53]) == [0, 0, 1, 1, 2, 2]


@pytest.mark.law("D8")
def test_a_token_without_probability_is_never_drawn():
    assert draw([-INF, 0.0, -INF, -1e4, -INF], [0.0, 0.5, 1 - 2**-53]) == [1, 1, 1]
    assert draw([-3e38, -INF], [0.0, 1 - 2**-53]) == [0, 0]


def test_frequencies_match_probabilities():
    weights = torch.tensor([0.1, 0.2, 0.3, 0.4])
    uniform = torch.rand(20_000, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    tokens = draw_tokens(weights.log().expand(20_000, -1), uniform)
    assert torch.allclose(tokens.bincount() / 20_000, weights, atol=0.02)


@pytest.mark.law("D4")
def test_a_row_is_drawn_the_same_among_any_neighbours():
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(50, 1000, generator=generator)
    uniform = torch.rand(50, dtype=torch.float64, generator=generator)
    together = draw_tokens(logits, uniform)
    alone = torch.cat([draw_tokens(logits[row : row + 1], uniform[row : row + 1]) for row in range(50)])
    assert torch.equal(together, alone)


def test_the_tail_of_a_large_vocabulary_is_reached():
    logits = torch.zeros(1, 200_000)
    logits[0, 0] = 30.0
    share = 200_000 / (math.exp(30) + 200_000)
    token = draw_tokens(logits, torch.tensor([1 - share / 2], dtype=torch.float64)).item()
    assert 95_000 < token < 105_000


def test_the_largest_number_below_one_always_finds_a_token():
    generator = torch.Generator().manual_seed(0)
    logits = torch.randn(2_000, 7, generator=generator) * torch.rand(2_000, 1, generator=generator) * 9
    uniform = torch.full((2_000,), 1 - 2**-53, dtype=torch.float64)
    assert draw_tokens(logits, uniform).max() == 6
