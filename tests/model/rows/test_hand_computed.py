"""Each reference row against numbers worked out by hand."""

from __future__ import annotations

import math
import sys

import pytest

from logitproof.model import rows
from logitproof.spec import SamplingParams

INF, NAN = math.inf, math.nan
BANNED = -INF
LARGEST = sys.float_info.max

CASES = [
    # feature, parameters, prompt, outputs, before, after
    ("allowed_token_ids", {}, None, [], [1.0, NAN], [1.0, NAN]),
    ("allowed_token_ids", {"allowed_token_ids": [2, 0, 2]}, None, [], [1.0, 2.0, 3.0], [1.0, BANNED, 3.0]),
    ("allowed_token_ids", {"allowed_token_ids": [1, 99]}, None, [], [1.0, 2.0], [BANNED, 2.0]),
    ("allowed_token_ids", {"allowed_token_ids": [99]}, None, [], [1.0, 2.0], [1.0, 2.0]),
    ("allowed_token_ids", {"allowed_token_ids": [0]}, None, [], [BANNED, 2.0], [BANNED, 2.0]),
    ("allowed_token_ids", {"allowed_token_ids": [0]}, None, [], [INF, 2.0], [INF, 2.0]),
    ("allowed_token_ids", {"allowed_token_ids": [0, 1]}, None, [], [NAN, 2.0, 3.0], [NAN, 2.0, BANNED]),
    ("bad_words", {}, None, [], [1.0], [1.0]),
    ("bad_words", {"bad_words": [[1]]}, None, [], [1.0, 2.0], [1.0, BANNED]),
    ("bad_words", {"bad_words": [[0, 1]]}, None, [0], [1.0, 2.0], [1.0, BANNED]),
    ("bad_words", {"bad_words": [[0, 1]]}, None, [0, 0], [1.0, 2.0], [1.0, BANNED]),
    ("bad_words", {"bad_words": [[0, 1]]}, None, [0, 1], [1.0, 2.0], [1.0, 2.0]),
    ("bad_words", {"bad_words": [[0, 1]]}, None, [], [1.0, 2.0], [1.0, 2.0]),
    ("bad_words", {"bad_words": [[0, 1]]}, [0], [], [1.0, 2.0], [1.0, BANNED]),
    ("bad_words", {"bad_words": [[2, 0, 1]]}, [2], [0], [1.0, 2.0, 3.0], [1.0, BANNED, 3.0]),
    ("bad_words", {"bad_words": [[2, 0, 1]]}, None, [0], [1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
    ("bad_words", {"bad_words": [[0, 1]]}, None, [0, -1], [1.0, 2.0], [1.0, 2.0]),
    ("bad_words", {"bad_words": [[0, 1]]}, [0], [-1], [1.0, 2.0], [1.0, 2.0]),
    ("bad_words", {"bad_words": [[0, 9]]}, None, [0], [1.0, 2.0], [1.0, 2.0]),
    ("bad_words", {"bad_words": [[0], [1]]}, None, [], [1.0, 2.0], [1.0, 2.0]),
    ("bad_words", {"bad_words": [[0]]}, None, [], [1.0, BANNED], [1.0, BANNED]),
    ("min_tokens", {"min_tokens": 2, "stop_token_ids": [1]}, None, [0, -1], [1.0, 2.0], [1.0, 2.0]),
    ("min_tokens", {"min_tokens": 2, "stop_token_ids": [1, 9]}, None, [-1], [1.0, 2.0], [1.0, BANNED]),
    ("min_tokens", {"min_tokens": 1, "eos_token_id": 0}, None, [], [1.0, BANNED], [1.0, BANNED]),
    ("logit_bias", {"logit_bias": {0: 1.5, 9: 1.0}}, None, [], [1.0, 2.0], [2.5, 2.0]),
    ("logit_bias", {"logit_bias": {0: 100.0}}, None, [], [BANNED, NAN, INF], [BANNED, NAN, INF]),
    ("logit_bias", {"logit_bias": {0: 1e308}}, None, [], [1e308, BANNED], [LARGEST, BANNED]),
    ("repetition_penalty", {"repetition_penalty": 2.0}, [0], [1], [4.0, -4.0, 4.0], [2.0, -8.0, 4.0]),
    ("repetition_penalty", {"repetition_penalty": 0.5}, [0], [1, 1], [4.0, -4.0], [8.0, -2.0]),
    ("repetition_penalty", {"repetition_penalty": 2.0}, None, [-1, 9, 0], [0.0, 1.0], [0.0, 1.0]),
    (
        "repetition_penalty",
        {"repetition_penalty": 2.0},
        [0, 1, 2],
        [],
        [INF, BANNED, 1.0],
        [INF, BANNED, 0.5],
    ),
    ("repetition_penalty", {"repetition_penalty": 1e-10}, [0], [], [1e300, BANNED], [LARGEST, BANNED]),
    (
        "frequency_penalty",
        {"frequency_penalty": 0.5},
        [2, 2],
        [0, 0, 1, -1, 9],
        [1.0, 1.0, 1.0],
        [0.0, 0.5, 1.0],
    ),
    ("frequency_penalty", {"frequency_penalty": -2.0}, None, [0, 0, 0], [1.0, 1.0], [7.0, 1.0]),
    ("frequency_penalty", {"frequency_penalty": 1.0}, None, [0, 1], [BANNED, INF, 0.0], [BANNED, INF, 0.0]),
    (
        "presence_penalty",
        {"presence_penalty": 0.5},
        [2, 2],
        [0, 0, 1, -1, 9],
        [1.0, 1.0, 1.0],
        [0.5, 0.5, 1.0],
    ),
    ("presence_penalty", {"presence_penalty": -2.0}, None, [0, 0, 0], [1.0, 1.0], [3.0, 1.0]),
    ("temperature", {"temperature": 0.5}, None, [], [1.0, -3.0, BANNED], [2.0, -6.0, BANNED]),
    ("temperature", {"temperature": 0.0}, None, [], [1.0, -3.0, INF], [1.0, -3.0, INF]),
    ("temperature", {"temperature": 1e-300}, None, [], [1.0, 0.0], [1e10, 0.0]),
    ("temperature", {"temperature": 2.0}, None, [], [NAN, INF, 5e-324], [NAN, INF, 0.0]),
    ("temperature", {"temperature": 1e-10}, None, [], [-1e300, 1e300], [-LARGEST, LARGEST]),
    ("min_p", {"min_p": 0.5}, None, [], [0.0, -0.69, -0.7], [0.0, -0.69, BANNED]),
    ("min_p", {"min_p": 1.0}, None, [], [2.0, 1.0, 2.0], [2.0, BANNED, 2.0]),
    ("min_p", {"min_p": 0.5}, None, [], [INF, 1.0], [INF, 1.0]),
    ("min_p", {"min_p": 0.5}, None, [], [5.0, NAN, 1.0], [5.0, NAN, 1.0]),
    ("min_p", {"min_p": 0.5}, None, [], [BANNED, BANNED], [BANNED, BANNED]),
    ("top_k", {"top_k": 0}, None, [], [3.0, 1.0], [3.0, 1.0]),
    ("top_k", {"top_k": -1}, None, [], [3.0, 1.0], [3.0, 1.0]),
    ("top_k", {"top_k": 1}, None, [], [3.0, 1.0, 2.0], [3.0, BANNED, BANNED]),
    ("top_k", {"top_k": 2}, None, [], [1.0, 2.0, 2.0, 2.0], [BANNED, 2.0, 2.0, 2.0]),
    ("top_k", {"top_k": 3}, None, [], [3.0, 1.0, 2.0], [3.0, 1.0, 2.0]),
    ("top_k", {"top_k": 99}, None, [], [3.0, 1.0, 2.0], [3.0, 1.0, 2.0]),
    ("top_k", {"top_k": 2}, None, [], [3.0, BANNED, BANNED], [3.0, BANNED, BANNED]),
    ("top_k", {"top_k": 1}, None, [], [INF, 1.0], [INF, 1.0]),
    ("top_k", {"top_k": 1}, None, [], [5.0, NAN, 1.0], [5.0, NAN, 1.0]),
    # probabilities 0.6652, 0.2447, 0.0900
    ("top_p", {"top_p": 0.66}, None, [], [2.0, 1.0, 0.0], [2.0, BANNED, BANNED]),
    ("top_p", {"top_p": 0.67}, None, [], [2.0, 1.0, 0.0], [2.0, 1.0, BANNED]),
    ("top_p", {"top_p": 0.92}, None, [], [2.0, 1.0, 0.0], [2.0, 1.0, 0.0]),
    ("top_p", {"top_p": 1e-9}, None, [], [2.0, 1.0, 2.0], [2.0, BANNED, 2.0]),
    ("top_p", {"top_p": 0.5}, None, [], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]),
    ("top_p", {"top_p": 0.5}, None, [], [0.0, BANNED, 0.0, -1.0], [0.0, BANNED, 0.0, BANNED]),
    ("top_p", {"top_p": 1.0}, None, [], [0.0, -1e30], [0.0, -1e30]),
    ("top_p", {"top_p": 0.999}, None, [], [0.0, -1e30], [0.0, BANNED]),
    ("top_p", {"top_p": 0.5}, None, [], [INF, 1.0], [INF, 1.0]),
    ("top_p", {"top_p": 0.5}, None, [], [5.0, NAN, 1.0], [5.0, NAN, 1.0]),
]


def same(one, other):
    return len(one) == len(other) and all(
        a == b or (math.isnan(a) and math.isnan(b)) for a, b in zip(one, other, strict=True)
    )


@pytest.mark.law("D2", "D4", "D8")
@pytest.mark.parametrize(("feature", "uses", "prompt", "outputs", "before", "after"), CASES)
def test_the_row_is_the_one_worked_out_by_hand(feature, uses, prompt, outputs, before, after):
    given = list(before)
    found = getattr(rows, f"{feature}_row")(SamplingParams(**uses), prompt, outputs, given)
    assert same(found, after), found
    assert same(given, before), "the row that comes in is never changed"
    assert found is not given


def test_every_feature_has_cases():
    assert {case[0] for case in CASES} == {stage.name for stage in rows.PIPELINE}


@pytest.mark.law("D8")
@pytest.mark.parametrize("row", [[BANNED, BANNED], [NAN, 1.0], [INF, 1.0], []])
def test_a_row_without_a_distribution_is_refused(row):
    for ask in (rows.probabilities, rows.support, rows.argmax):
        with pytest.raises(ValueError, match="Expected a row without NaN whose highest logit is finite"):
            ask(row)


@pytest.mark.law("E2", "E3")
def test_what_may_be_sampled():
    row = [1.0, BANNED, 1.0, -1e30]
    assert rows.support(row) == {0, 2, 3}
    assert rows.probabilities(row) == [0.5, 0.0, 0.5, 0.0]
    assert rows.argmax(row) == 0
    assert rows.possible_tokens(SamplingParams(temperature=0.0), row) == {0}
    assert rows.possible_tokens(SamplingParams(temperature=0.1), row) == {0, 2, 3}
