"""Seeded numbers depend on seed and position, spread evenly, and never reach 1."""

from __future__ import annotations

import pytest

from logitproof.impl.seeded_draw import seeded_uniform


@pytest.mark.law("D4")
def test_the_numbers_are_pinned_on_every_machine():
    assert seeded_uniform(0, 0) == 0.3859926107094097
    assert seeded_uniform(0, 0) != seeded_uniform(0, 1) != seeded_uniform(1, 0)
    assert seeded_uniform(1, 11) != seeded_uniform(11, 1)


@pytest.mark.parametrize("seed", [0, -1, 2**70])
def test_the_numbers_fill_the_unit_interval_evenly(seed):
    numbers = [seeded_uniform(seed, position) for position in range(4_000)]
    assert all(0 <= number < 1 for number in numbers)
    for tenth in range(10):
        share = sum(tenth / 10 <= number < (tenth + 1) / 10 for number in numbers)
        assert 300 < share < 500
