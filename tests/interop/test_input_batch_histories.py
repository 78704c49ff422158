"""Long random histories: vLLM's batch against the model, with resumes, several finishes and chains of swaps."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from logitproof.impl.request import Request
from logitproof.spec import MoveDirectionality, SamplingParams
from logitproof.vllm_engine import VllmEngine

SLOTS = 8
BYTES = st.binary(min_size=200, max_size=600)
SHARED = SamplingParams(min_p=0.5)
"""Several requests share one params object, as with n > 1."""


def arrive(number):
    params = SHARED if number % 3 == 0 else SamplingParams()
    return Request(f"r{number}", params, None if number % 5 == 4 else [number] * (number % 4), [])


@pytest.mark.law("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "C1", "C2", "C5")
@settings(max_examples=150, deadline=None, print_blob=True)
@given(content=BYTES)
def test_same_slots_and_same_update(content, read_script, assert_same_step):
    script, engine = read_script(content), VllmEngine(SLOTS)
    waiting, arrived = [], 0
    while not script.spent:
        before = engine.requests
        decision = script.step(len(before), len(waiting), SLOTS)
        new = [arrive(arrived + i) for i in range(decision.new)] + [waiting[i] for i in decision.resumed]
        arrived += decision.new
        leaving = [before[slot] for slot in (*decision.finished, *decision.unscheduled)]
        update = engine.step([request.request_id for request in leaving], new, decision.swaps)
        assert_same_step(engine, before, leaving, new, decision.swaps, update)
        waiting = [request for i, request in enumerate(waiting) if i not in decision.resumed]
        waiting += [before[slot] for slot in decision.unscheduled]
        for request in engine.requests:
            request.output_token_ids.append(script.position % 32)


@pytest.mark.law("B1", "B3", "B4")
@settings(max_examples=50, deadline=None, print_blob=True)
@given(order=st.permutations(range(6)), leaving=st.integers(0, 6), new=st.integers(0, SLOTS - 6))
def test_the_order_in_which_requests_leave_is_irrelevant(order, leaving, new, assert_same_step):
    engine = VllmEngine(SLOTS)
    engine.step(new=[arrive(number) for number in range(6)])
    before = engine.requests
    finished = [before[slot] for slot in order[:leaving]]
    newcomers = [arrive(6 + number) for number in range(new)]
    update = engine.step([request.request_id for request in finished], newcomers)
    assert_same_step(engine, before, finished, newcomers, [], update)


@pytest.mark.law("A2", "B8", "C5")
def test_a_request_may_leave_and_return_in_one_step(assert_same_step):
    engine = VllmEngine(SLOTS)
    engine.step(new=[arrive(number) for number in range(4)])
    before = engine.requests
    before[2].output_token_ids += [7, 8]
    update = engine.step([before[0].request_id, before[2].request_id], [before[2]])
    assert_same_step(engine, before, [before[0], before[2]], [before[2]], [], update)
    assert update.added[0][0] == 0
    assert update.added[0][3] is before[2].output_token_ids


@pytest.mark.law("B6")
@settings(max_examples=100, deadline=None, print_blob=True)
@given(kinds=st.lists(st.integers(0, 3), min_size=1, max_size=SLOTS))
def test_vllms_own_reordering_is_a_sequence_of_swaps(kinds, assert_same_step):
    """kinds, one per slot: 0 decodes, 1 and 2 are prompt chunks of one and of four tokens, 3 is a first chunk."""
    from vllm.v1.attention.backends.utils import reorder_batch_to_split_decodes_and_prefills

    engine = VllmEngine(SLOTS)
    engine.step(new=[Request(f"r{slot}", SamplingParams(), [1] * 8, []) for slot in range(len(kinds))])
    before = engine.requests
    scheduled = {f"r{slot}": 4 if kind == 2 else 1 for slot, kind in enumerate(kinds)}
    engine.input_batch.num_computed_tokens_cpu[: len(kinds)] = [(8, 4, 4, 0)[kind] for kind in kinds]

    def reorder(batch):
        reorder_batch_to_split_decodes_and_prefills(batch, SimpleNamespace(num_scheduled_tokens=scheduled))

    update = engine.step(reorder=reorder)
    moved = [] if update is None else update.moved
    assert all(how is MoveDirectionality.SWAP for *_, how in moved)
    swaps = [(source, destination) for source, destination, _ in moved]
    assert_same_step(engine, before, [], [], swaps, update)
    assert [kinds[int(request.request_id[1:])] for request in engine.requests] == sorted(kinds)


def test_a_step_that_no_scheduler_could_want_is_refused():
    engine = VllmEngine(SLOTS)
    engine.step(new=[arrive(0)])
    with pytest.raises(ValueError, match="'r9'"):
        engine.step(finished=["r9"])
    with pytest.raises(ValueError, match="'r0' is in it"):
        engine.step(new=[arrive(0)])
