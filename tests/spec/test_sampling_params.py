"""Every field of SamplingParams: what is accepted, what is refused, and what the message says."""

from __future__ import annotations

import math
import re
import weakref
from dataclasses import FrozenInstanceError, fields

import pytest

from logitproof.spec import SamplingParams

REAL_BOUNDS = {
    # field: (accepted, refused by value)
    "temperature": ((0, 0.0, 1e-9, 100.0), (-1e-9, -1, math.inf, math.nan)),
    "top_p": ((1e-9, 0.5, 1, 1.0), (0, 0.0, -0.1, 1.0000001, math.nan)),
    "min_p": ((0, 0.0, 0.5, 1.0), (-1e-9, 1.0000001, math.inf, math.nan)),
    "repetition_penalty": ((1e-9, 1, 50.0), (0, 0.0, -1.0, math.inf, math.nan)),
    "frequency_penalty": ((-2, -2.0, 0.0, 2.0), (-2.0000001, 2.0000001, -math.inf, math.nan)),
    "presence_penalty": ((-2, -2.0, 0.0, 2.0), (-2.0000001, 2.0000001, math.inf, math.nan)),
}
WHOLE_BOUNDS = {
    "top_k": ((-1, 0, 1, 10**6), (-2,)),
    "min_tokens": ((0, 1, 16), (-1,)),
    "max_tokens": ((None, 1, 10**6), (0, -1)),
    "eos_token_id": ((None, 0, 7), (-1,)),
    "logprobs": ((None, 0, 20), (-1,)),
    "seed": ((None, 0, -(2**63), 2**64), ()),
}
BOUNDS = REAL_BOUNDS | WHOLE_BOUNDS
ACCEPTED = [(name, value) for name, (accepted, _) in BOUNDS.items() for value in accepted]
REFUSED = [(name, value) for name, (_, refused) in BOUNDS.items() for value in refused]
NOT_NUMBERS = [(name, value) for name in REAL_BOUNDS for value in (True, "0.5", None, [1.0])] + [
    (name, value) for name in WHOLE_BOUNDS for value in (True, 1.0, "1")
]


@pytest.mark.parametrize(("name", "value"), ACCEPTED)
def test_a_value_inside_the_bounds_is_kept_as_it_is(name, value):
    kept = getattr(SamplingParams(**{name: value}), name)
    assert kept == value
    assert type(kept) is type(value)


@pytest.mark.law("D6")
@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_a_value_outside_the_bounds_is_refused_by_name_and_value(name, value):
    with pytest.raises(ValueError, match=_message(name, value)):
        SamplingParams(**{name: value})


@pytest.mark.law("D6")
@pytest.mark.parametrize(("name", "value"), NOT_NUMBERS)
def test_a_value_of_the_wrong_type_is_refused_by_type(name, value):
    with pytest.raises(TypeError, match=_message(name, value)):
        SamplingParams(**{name: value})


def _message(name, value):
    got = f"but got {name}={value!r} (type={type(value).__name__})"
    return rf"^Expected {name} to be an? (number|integer).* {re.escape(got)}$"


def test_the_tables_above_name_every_number_field():
    others = {"logit_bias", "stop_token_ids", "ignore_eos", "allowed_token_ids", "bad_words", "extra_args"}
    assert BOUNDS.keys() == {declared.name for declared in fields(SamplingParams)} - others


def test_defaults_use_no_feature():
    params = SamplingParams()
    assert (params.min_p, params.logit_bias, params.min_tokens, params.stop_token_ids) == (0.0, None, 0, ())
    assert (params.top_p, params.top_k, params.allowed_token_ids, params.bad_words) == (1.0, 0, None, ())
    assert (params.repetition_penalty, params.frequency_penalty, params.presence_penalty) == (1.0, 0.0, 0.0)
    assert not params.is_greedy


def test_a_field_cannot_be_set_afterwards():
    params = SamplingParams()
    with pytest.raises(FrozenInstanceError):
        params.min_p = 0.5
    assert params.min_p == 0.0


def test_it_can_be_referenced_weakly_and_compared_by_value():
    params = SamplingParams(min_p=0.5)
    reference = weakref.ref(params)
    assert reference() is params
    assert params == SamplingParams(min_p=0.5)
    assert params != SamplingParams(min_p=0.25)
    del params
    assert reference() is None


@pytest.mark.law("E2")
@pytest.mark.parametrize(("temperature", "greedy"), [(0, True), (0.0, True), (1e-9, False), (1.0, False)])
def test_only_temperature_zero_is_greedy(temperature, greedy):
    assert SamplingParams(temperature=temperature).is_greedy is greedy


def test_min_tokens_may_reach_but_not_pass_max_tokens():
    assert SamplingParams(min_tokens=4, max_tokens=4).min_tokens == 4
    assert SamplingParams(min_tokens=10**6, max_tokens=None).min_tokens == 10**6
    with pytest.raises(ValueError, match=r"at most max_tokens=4 but got min_tokens=5"):
        SamplingParams(min_tokens=5, max_tokens=4)
