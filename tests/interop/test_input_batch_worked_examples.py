"""The contract's worked examples, played on the released vLLM's own batch."""

from __future__ import annotations

import pytest

from logitproof.impl.request import Request
from logitproof.spec import MoveDirectionality, SamplingParams
from logitproof.vllm_engine import VllmEngine

ONE_WAY, SWAP = MoveDirectionality.UNIDIRECTIONAL, MoveDirectionality.SWAP


def start():
    """vLLM's batch [A,B,C,D], and the requests E and F that wait."""
    requests = [Request(name, SamplingParams(), [1], []) for name in "ABCDEF"]
    engine = VllmEngine(max_num_reqs=8)
    engine.step(new=requests[:4])
    return engine, requests[4], requests[5]


def names(engine):
    return [request.request_id for request in engine.requests]


@pytest.mark.law("B1", "B4", "B5", "B6", "A2")
def test_first_example_is_announced_without_the_slot_that_a_move_filled():
    engine, e, _ = start()
    update = engine.step(finished=["A", "C"], new=[e], swaps=[(0, 1)])
    assert names(engine) == ["B", "E", "D"]
    assert update.batch_size == 3
    assert update.removed == []
    assert update.added == [(0, e.params, e.prompt_token_ids, e.output_token_ids)]
    assert update.moved == [(3, 2, ONE_WAY), (0, 1, SWAP)]


@pytest.mark.law("B1", "B2", "B6", "A2")
def test_second_example():
    engine, e, f = start()
    update = engine.step(finished=["C"], new=[e, f], swaps=[(0, 1)])
    assert names(engine) == ["B", "A", "E", "D", "F"]
    assert (update.batch_size, update.removed) == (5, [])
    assert [(index, outputs) for index, _, _, outputs in update.added] == [(2, []), (4, [])]
    assert update.added[0][3] is e.output_token_ids
    assert update.added[1][3] is f.output_token_ids
    assert update.moved == [(0, 1, SWAP)]


@pytest.mark.law("B7", "C4")
def test_nothing_happened_is_none_and_is_delivered():
    engine, *_ = start()
    assert engine.step() is None


@pytest.mark.law("C5")
def test_tokens_grow_without_an_update():
    engine, e, _ = start()
    (added,) = engine.step(new=[e]).added
    e.output_token_ids.append(7)
    assert engine.step() is None
    assert added[3] == [7]
