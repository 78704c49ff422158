"""What `--arg` understands, what requests it makes, and what it says about mistakes."""

from __future__ import annotations

import json

import pytest
from hypothesis import find
from hypothesis.errors import NoSuchExample

from logitproof.spec import SamplingParams
from logitproof.targets import TargetError
from logitproof.targets.arg_language import KINDS, params_for, parse
from logitproof.targets.drawing import few

VOCAB = 40


def drawn(kind, number=60):
    return few(parse(f"x={kind}").values(VOCAB), number)


@pytest.mark.parametrize(
    ("kind", "holds"),
    [
        ("int", lambda value: type(value) is int and 0 <= value <= 5),
        ("int:1..vocab", lambda value: 1 <= value < VOCAB),
        ("int:-3..-1", lambda value: -3 <= value <= -1),
        ("float", lambda value: type(value) is float and -2 <= value <= 2),
        ("float:0.25..0.75", lambda value: 0.25 <= value <= 0.75),
        ("bool", lambda value: type(value) is bool),
        ("token", lambda value: 0 <= value < VOCAB),
        ("tokens", lambda value: 1 <= len(value) <= 4 and all(0 <= token < VOCAB for token in value)),
        ("choice:a,2,true,0.5", lambda value: value in ("a", 2, True, 0.5)),
        ("str:hello", lambda value: value == "hello"),
        ("str", lambda value: isinstance(value, str) and value),
        ("list:token", lambda value: 1 <= len(value) <= 3),
        ("list:tokens", lambda value: all(isinstance(token, int) for part in value for token in part)),
        ("csv:token", lambda value: all(int(part) < VOCAB for part in value.split(","))),
        ("json:tokens", lambda value: all(token < VOCAB for token in json.loads(value))),
        ("map:token:float", lambda value: all(int(key) < VOCAB for key in value)),
    ],
)
def test_every_kind_gives_values_of_its_own(kind, holds):
    values = drawn(kind)
    assert values
    assert all(holds(value) for value in values)


@pytest.mark.parametrize("kind", ["int:0..3", "float:0.0..1.5", "choice:a,b,c", "bool"])
def test_both_ends_of_a_range_are_drawn(kind):
    ends = {
        "int:0..3": (0, 3),
        "float:0.0..1.5": (0.0, 1.5),
        "choice:a,b,c": ("a", "c"),
        "bool": (True, False),
    }
    assert {*ends[kind]} <= {*drawn(kind)}


def test_every_example_in_the_table_is_a_kind():
    for kind in KINDS:
        assert few(parse(f"x={kind.replace('KIND', 'token')}").values(VOCAB), 5)


def test_names_are_fields_or_keys_and_dots_go_into_dictionaries():
    arguments = (parse("min_p=float:0.5..0.5"), parse("wm.delta=int:2..2"), parse("wm.on=choice:true"))
    params = find(params_for(arguments)(VOCAB), lambda params: True)
    assert params == SamplingParams(min_p=0.5, extra_args={"wm": {"delta": 2, "on": True}})


def test_an_optional_argument_is_there_in_some_requests():
    strategy = params_for((parse("k=optional:int:2..2"),))(VOCAB)
    assert find(strategy, lambda params: params.extra_args) == SamplingParams(extra_args={"k": 2})
    assert find(strategy, lambda params: not params.extra_args) == SamplingParams()
    with pytest.raises(NoSuchExample):
        find(params_for((parse("k=int:2..2"),))(VOCAB), lambda params: not params.extra_args)


def test_a_minimum_length_may_be_larger_than_the_default_maximum():
    assert find(params_for((parse("min_tokens=int:20..20"),))(VOCAB), lambda params: True).min_tokens == 20


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "expected NAME=KIND"),
        ("=int", "expected NAME=KIND"),
        ("a..b=int", "expected NAME=KIND"),
        ("x=itn", "there is no kind 'itn'; did you mean 'int'?"),
        ("x=quux", "the kinds are bool, float"),
        ("x=int:5", "expected a range like 0..5"),
        ("x=int:a..b", "expected a range like 0..5"),
        ("x=float:2.0..1.0", "is empty"),
        ("x=list", "'list' needs more after it, as in list:token"),
        ("x=choice:", "as in choice:a,b,c"),
        ("x=bool:1", "'bool' takes no '1' after it"),
        ("x=list:optional:int", "'optional' stands first"),
    ],
)
def test_a_mistake_is_told_in_one_line(text, message):
    with pytest.raises(TargetError) as caught:
        parse(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_field_that_does_not_take_the_value_is_told():
    with pytest.raises(TargetError, match=r"SamplingParams does not take .*temperature=-1"):
        find(params_for((parse("temperature=float:-1.0..-1.0"),))(VOCAB), lambda params: True)
