"""The reference rows: hand-computed cases, and what must hold for every row."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logitproof.model.rows import logit_bias_row, min_p_row, min_tokens_row
from logitproof.spec import SamplingParams

INF, NAN = math.inf, math.nan
LN2 = math.log(2)
rows = st.lists(st.floats(-50, 50) | st.just(-INF), min_size=1, max_size=8)
FUNCTIONS = (min_p_row, logit_bias_row, min_tokens_row)


@pytest.mark.parametrize(
    ("min_p", "row", "expected"),
    [
        (0.5, [0.0, -0.6, -0.8], [0.0, -0.6, -INF]),
        (0.5, [10.0, 9.4, 9.2], [10.0, 9.4, -INF]),
        (1.0, [1.0, 1.0, 0.999], [1.0, 1.0, -INF]),
        (0.25, [0.0, -2 * LN2 + 1e-9, -2 * LN2 - 1e-9], [0.0, -2 * LN2 + 1e-9, -INF]),
        (0.1, [-INF, 0.0], [-INF, 0.0]),
        (0.5, [-INF, -INF], [-INF, -INF]),
        (0.5, [INF, 0.0], [INF, 0.0]),
        (0.0, [0.0, -1000.0], [0.0, -1000.0]),
    ],
)
def test_min_p_by_hand(min_p, row, expected):
    assert min_p_row(SamplingParams(min_p=min_p), None, [], row) == expected


@pytest.mark.law("D8")
def test_min_p_leaves_a_row_that_holds_a_nan():
    row = min_p_row(SamplingParams(min_p=1.0), None, [], [0.0, NAN, -9.0])
    assert row[::2] == [0.0, -9.0]
    assert math.isnan(row[1])


@pytest.mark.law("D5", "D8")
@settings(deadline=None)
@given(rows, st.floats(0.0, 1.0))
def test_min_p_keeps_the_highest_and_changes_no_other_logit_than_to_ban_it(row, min_p):
    after = min_p_row(SamplingParams(min_p=min_p), None, [], row)
    highest = max(row)
    assert all(now == was for was, now in zip(row, after, strict=True) if was == highest)
    assert all(now in (was, -INF) for was, now in zip(row, after, strict=True))


@settings(deadline=None)
@given(rows, st.floats(0.01, 1.0), st.floats(-5, 5))
def test_min_p_drops_by_the_ratio_of_the_softmax(row, min_p, margin):
    after = min_p_row(SamplingParams(min_p=min_p), None, [], row)
    highest = max(row)
    for was, now in zip(row, after, strict=True):
        if math.isfinite(highest) and abs(was - highest - math.log(min_p)) > 1e-9:
            assert (now == -INF) == (was - highest < math.log(min_p))


@settings(deadline=None)
@given(rows, st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_a_larger_min_p_keeps_fewer(row, one, other):
    small, large = sorted((one, other))
    few = min_p_row(SamplingParams(min_p=large), None, [], row)
    many = min_p_row(SamplingParams(min_p=small), None, [], row)
    assert all(kept in (-INF, also) for kept, also in zip(few, many, strict=True))


@pytest.mark.parametrize(
    ("biases", "row", "expected"),
    [
        ({2: -1.5}, [0.0, 1.0, 2.0], [0.0, 1.0, 0.5]),
        ({0: 1, 1: 2.5}, [0.0, 1.0], [1.0, 3.5]),
        ({0: 100.0}, [-INF, 0.0], [-INF, 0.0]),
        ({}, [1.0], [1.0]),
        (None, [1.0], [1.0]),
    ],
)
def test_logit_bias_by_hand(biases, row, expected):
    assert logit_bias_row(SamplingParams(logit_bias=biases), None, [], row) == expected


@settings(deadline=None)
@given(
    st.lists(st.integers(-99, 99), min_size=4, max_size=8),
    st.dictionaries(st.integers(0, 3), st.integers(-9, 9)),
)
def test_the_opposite_bias_undoes_a_bias(row, biases):
    there = logit_bias_row(SamplingParams(logit_bias=biases), None, [], row)
    back = {token: -bias for token, bias in biases.items()}
    assert logit_bias_row(SamplingParams(logit_bias=back), None, [], there) == row
    assert [now - was for was, now in zip(row, there, strict=True)] == [
        biases.get(token, 0) for token in range(len(row))
    ]


@pytest.mark.parametrize(
    ("stops", "eos", "outputs", "expected"),
    [
        ([0], None, [], [-INF, 1.0, 2.0]),
        ([0], 2, [9], [-INF, 1.0, -INF]),
        ([0], 2, [9, 9], [0.0, 1.0, 2.0]),
        ([0], 2, [9, 9, 9], [0.0, 1.0, 2.0]),
        ([], None, [], [0.0, 1.0, 2.0]),
        ([0, 1], 2, [], [0.0, 1.0, 2.0]),
        ([7], None, [], [0.0, 1.0, 2.0]),
    ],
)
def test_min_tokens_by_hand(stops, eos, outputs, expected):
    params = SamplingParams(min_tokens=2, stop_token_ids=stops, eos_token_id=eos, ignore_eos=True)
    assert min_tokens_row(params, None, outputs, [0.0, 1.0, 2.0]) == expected


@pytest.mark.law("D8")
@settings(deadline=None)
@given(rows, st.sets(st.integers(0, 9)), st.integers(0, 3), st.integers(0, 4))
def test_min_tokens_never_bans_the_last_finite_logit(row, stops, minimum, produced):
    params = SamplingParams(min_tokens=minimum, stop_token_ids=sorted(stops))
    after = min_tokens_row(params, None, [1] * produced, row)
    assert any(map(math.isfinite, after)) == any(map(math.isfinite, row))
    assert all(
        now == was or (token in stops and now == -INF)
        for token, (was, now) in enumerate(zip(row, after, strict=True))
    )


@pytest.mark.law("D2")
@pytest.mark.parametrize("function", FUNCTIONS)
@settings(deadline=None)
@given(row=rows)
def test_a_row_that_does_not_use_the_feature_is_copied_bit_by_bit(function, row):
    kept = list(row)
    after = function(SamplingParams(), [1], [2], row)
    assert [value.hex() for value in after] == [value.hex() for value in kept]
    assert after is not row


@pytest.mark.law("D4")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_row_that_comes_in_is_never_changed(function):
    params = SamplingParams(min_p=0.9, logit_bias={0: 5.0}, min_tokens=3, stop_token_ids=[0])
    row = [0.0, 8.0, -3.0]
    assert function(params, None, [], row) != row
    assert row == [0.0, 8.0, -3.0]
