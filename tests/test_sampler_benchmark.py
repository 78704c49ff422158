"""The README's table of the sampler benchmark: the numbers are a machine's, but nothing may be missing from it."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

from _sampler_cases import FEATURES, OPERATIONS, PROFILES
from _sampler_table import README, SHAPES, Row, ratios_by_operation, table

from logitproof.impl import ENTRIES


def test_the_table_in_the_readme_lists_every_operation_shape_and_profile():
    ratios = ratios_by_operation(README.read_text(encoding="utf-8"))
    assert list(ratios) == list(OPERATIONS)
    for *by_shape, cost, warm in ratios.values():
        assert [len(cell) for cell in by_shape] == [len(PROFILES)] * len(SHAPES)
        assert len(warm) in (0, len(PROFILES))
        assert all(ratio > 0 for cell in (*by_shape, cost, warm) for ratio in cell)
    assert any(warm for *_, warm in ratios.values())


def test_a_table_is_read_back_as_it_was_written():
    cases = product(SHAPES, PROFILES, OPERATIONS)
    rows = [
        Row(*shape, profile, name, True, 2.5 + n, 0.25, 9.0 if name == "penalties" else None)
        for n, (shape, profile, name) in enumerate(cases)
    ]
    text = f"<!-- sampler: x -->\n{table(rows)}\n<!-- /sampler -->"
    ratios = ratios_by_operation(text)
    assert ratios["step"][0] == [2.5, 16, 30]
    assert ratios["update_logit_bias"][-2:] == [[0.25], []]
    assert len(ratios["penalties"][-1]) == len(PROFILES)


def test_every_feature_of_the_sampler_is_in_the_step():
    assert set(FEATURES["step"]) == {entry.name for entry in ENTRIES if entry.reference is None}
