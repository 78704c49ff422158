"""The dialects differ in `removed` only, and a finished update is never touched again."""

from __future__ import annotations

import pytest

from logitproof.impl import BatchUpdateBuilder, Request
from logitproof.spec import Dialect, MoveDirectionality, SamplingParams


@pytest.mark.law("B3", "B5")
@pytest.mark.parametrize(
    ("dialect", "removed"),
    [(Dialect.DOCUMENTED, [2, 4]), (Dialect.ELIDED, [4]), (Dialect.REDUNDANT, [0, 2, 4])],
)
def test_dialects_word_the_same_step_differently(dialect, removed):
    builder = BatchUpdateBuilder(dialect)
    builder.finish([0, 2, 4])
    builder.add(0, Request("e", SamplingParams()))
    builder.move(3, 2)
    builder.swap(0, 1)
    update = builder.build(3)
    assert update.removed == removed
    assert update.moved == [(3, 2, MoveDirectionality.UNIDIRECTIONAL), (0, 1, MoveDirectionality.SWAP)]


@pytest.mark.law("B7")
def test_nothing_recorded_is_no_update():
    assert BatchUpdateBuilder().build(4) is None


@pytest.mark.law("C5")
def test_an_add_carries_the_requests_own_lists():
    request = Request("a", SamplingParams(), [1])
    builder = BatchUpdateBuilder()
    builder.add(0, request)
    [(index, params, prompt, outputs)] = builder.build(1).added
    assert (index, params) == (0, request.params)
    assert prompt is request.prompt_token_ids
    assert outputs is request.output_token_ids


def test_the_next_step_leaves_an_update_as_it_was():
    builder = BatchUpdateBuilder()
    builder.finish([1])
    update = builder.build(1)
    builder.finish([0])
    builder.swap(0, 1)
    assert update.removed == [1]
    assert update.moved == []
    assert builder.build(0).removed == [0]
