"""Requests are compared by identity and refuse what processors cannot keep a reference to."""

from __future__ import annotations

import pytest

from logitproof.impl import Request
from logitproof.spec import SamplingParams


def test_requests_with_equal_fields_are_different():
    left, right = (Request("a", SamplingParams(), [1]) for _ in range(2))
    assert left != right
    assert len({left, right}) == 2


@pytest.mark.law("C5")
def test_the_given_lists_are_kept_by_reference():
    prompt, outputs = [1], [2]
    request = Request("a", SamplingParams(), prompt, outputs)
    assert request.prompt_token_ids is prompt
    assert request.output_token_ids is outputs
    assert (
        Request("b", SamplingParams()).output_token_ids is not Request("c", SamplingParams()).output_token_ids
    )


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        ({"request_id": ""}, ValueError, "request_id=''"),
        ({"request_id": 7}, ValueError, "type=int"),
        ({"params": {}}, TypeError, "params={}"),
        ({"prompt_token_ids": (1, 2)}, ValueError, "type=tuple"),
        ({"output_token_ids": None}, ValueError, "output_token_ids=None"),
    ],
)
def test_a_wrong_field_is_named(fields, error, message):
    with pytest.raises(error, match=message):
        Request(**{"request_id": "a", "params": SamplingParams()} | fields)
