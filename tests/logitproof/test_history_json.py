"""Histories survive a round trip through JSON, and a damaged file is refused in one line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from logitproof.lockstep import histories, run
from logitproof.lockstep.history_json import (
    CorruptHistory,
    from_json,
    params_from_json,
    params_to_json,
    to_json,
)
from logitproof.spec import SamplingParams
from logitproof.targets import load_target
from logitproof.targets.learned import any_params

TARGET = load_target("logitproof.impl.processors.logit_bias:LogitBiasLogitsProcessor")


@settings(max_examples=30, deadline=None)
@given(histories(TARGET))
def test_a_history_reads_back_as_it_was(history):
    assert from_json(json.loads(json.dumps(to_json(history)))) == history


@settings(max_examples=60, deadline=None)
@given(any_params(32))
def test_params_read_back_as_they_were(params):
    assert params_from_json(json.loads(json.dumps(params_to_json(params)))) == params


def test_defaults_are_not_written():
    assert params_to_json(SamplingParams()) == {}


@settings(max_examples=10, deadline=None)
@given(histories(TARGET))
def test_a_history_read_back_plays_the_same(history):
    again = from_json(json.loads(json.dumps(to_json(history))))
    assert run(again, TARGET) == run(history, TARGET)


def damaged(**changes):
    from logitproof.lockstep import Arrival, History, Step

    history = History((Step(new=(Arrival("A"),)), Step(finished=("A",))), (SamplingParams(),), ((1,),))
    return to_json(history) | changes


def arrival(**changes):
    whole = {"name": "A", "params": 0, "prompt": None, "outputs": [], "row": 0, "script": [1]}
    return damaged(steps=[{"new": [whole | changes]}])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "expected a JSON object with format='logitproof.history'"),
        (damaged(version=2), "upgrade logitproof"),
        (damaged(version="x"), "damaged"),
        (damaged(steps=None), "damaged"),
        (damaged(params=[{"min_p": 7}]), "min_p"),
        (damaged(params=[]), "cannot be played"),
        (damaged(dtype="float7"), "cannot be played"),
        (damaged(dialect="klingon"), "klingon"),
        (damaged(steps=[{"finished": ["A"]}]), "A leaves but is not in the batch"),
        (damaged(steps=[{"resumed": ["A"]}]), "A is resumed but is not waiting"),
        (damaged(steps=[{"swaps": [[0, 1]]}]), "a swap names"),
        (damaged(steps=[{"swaps": [[0]]}]), "damaged"),
        (damaged(steps=[{"surprise": []}]), "unknown fields"),
        (damaged(slots=0), "cannot be played"),
        (arrival(params=5), "A has params 5 of 1"),
        (arrival(prompt=3), "A has prompt 3 of 1"),
        (arrival(script=[99]), "a token outside"),
        (damaged(steps=[{"new": [{"name": "A"}]}]), "damaged"),
        (damaged(steps=[{"partial": ["Z"]}]), "Z is partial"),
    ],
)  # fmt: skip
def test_a_damaged_history_is_refused_in_one_line(data, message):
    with pytest.raises(CorruptHistory, match=r".") as caught:
        from_json(data)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
