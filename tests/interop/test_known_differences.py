"""Where the released vLLM differs from contract and model without breaking a law: each with its reason, pinned.

The first and largest, that a hole which a move fills is not announced, is the `elided` dialect itself.
"""

from __future__ import annotations

import pytest

from logitproof import model
from logitproof.impl.request import Request
from logitproof.spec import Dialect, MoveDirectionality, SamplingParams
from logitproof.vllm_engine import VllmEngine
from logitproof.vllm_params import to_vllm_params

DIFFERENCES = {
    "removed_descends": "The builder sorts so that it can pop the lowest from the end. C1 allows any order: the slots "
    "are distinct. The model lists them ascending, so they are compared as a set.",
    "swap_with_itself": "swap_states(i, i) is accepted and announced as (i, i, SWAP), which changes nothing; the model "
    "refuses it (B6 speaks of two slots), and vLLM's own reordering never asks for one.",
    "strangers_may_finish": "remove_request ignores an id that is not in the batch: the scheduler also names requests "
    "that were unscheduled before they finished. The model refuses a plan that it cannot follow, and so does "
    "VllmEngine.",
    "greedy_turns_filters_off": "vllm.SamplingParams sets min_p, top_p and top_k to off at temperature 0, where they "
    "have no effect on the token (E4). Translated params keep what was asked for, so that the reference and the "
    "processor read the same numbers.",
}


def start(size):
    engine = VllmEngine(8)
    engine.step(new=[Request(f"r{number}", SamplingParams(), [1], []) for number in range(size)])
    return engine


@pytest.mark.law("C1")
def test_removed_descends():
    engine = start(5)
    assert engine.step(finished=["r1", "r3", "r4", "r2"]).removed == [4, 3, 2, 1]
    expected = model.step(range(5), finished=[1, 3, 4, 2], dialect=Dialect.ELIDED)
    assert expected.update.removed == [1, 2, 3, 4]


@pytest.mark.law("B6")
def test_swap_with_itself():
    engine = start(2)
    assert engine.step(swaps=[(1, 1)]).moved == [(1, 1, MoveDirectionality.SWAP)]
    assert [request.request_id for request in engine.requests] == ["r0", "r1"]
    with pytest.raises(ValueError, match="two different slots"):
        model.step(range(2), swaps=[(1, 1)])


def test_strangers_may_finish():
    engine = start(2)
    assert engine.input_batch.remove_request("r9") is None
    assert engine.step() is None


@pytest.mark.law("E4")
def test_greedy_turns_filters_off():
    from vllm import SamplingParams as VllmSamplingParams

    asked = {"temperature": 0.0, "min_p": 0.5, "top_p": 0.5, "top_k": 3}
    theirs, ours = VllmSamplingParams(**asked), to_vllm_params(SamplingParams(**asked))
    assert (theirs.min_p, theirs.top_p, theirs.top_k) == (0.0, 1.0, 0)
    assert (ours.min_p, ours.top_p, ours.top_k) == (0.5, 0.5, 3)
