"""Every on/off assignment of every one-step history on four slots: whose state do vLLM's own features hold afterwards?

Each request that is on carries a value of its own, so the state must be that of the live requests, at their slots, and
nothing else. The histories run one after the other on one batch: whatever stays behind meets the next one.
"""

from __future__ import annotations

from itertools import combinations, product
from types import SimpleNamespace

import pytest
import torch

from logitproof.impl.request import Request
from logitproof.spec import EngineConfig, MoveDirectionality, SamplingParams, SchedulerConfig
from logitproof.vllm_config import VllmConfigView
from logitproof.vllm_engine import VllmEngine

SLOTS = 4
NEWCOMERS = 2
ASSIGNED_HISTORIES = 8_519
"""Pinned: a scope that silently shrinks proves less."""
ONE_WAY = MoveDirectionality.UNIDIRECTIONAL


def histories():
    """`(size, finished slots, number of newcomers, swap or None, on/off of the old, on/off of the new)`."""
    for size in range(SLOTS + 1):
        for leaving in range(size + 1):
            for finished in combinations(range(size), leaving):
                for new in range(min(NEWCOMERS, SLOTS - size + leaving) + 1):
                    for swap in [None, *combinations(range(size - leaving + new), 2)]:
                        for on in product([False, True], repeat=size + new):
                            yield size, finished, new, swap, on[:size], on[size:]


def requests_of(flags, start):
    """Requests r{start}…: on means min-p, logit bias and min-tokens at once, with values that name the request."""
    made = []
    for number, on in enumerate(flags, start):
        name = number % 997 + 1
        params = SamplingParams(
            temperature=0.5,
            min_p=name / 1000 if on else 0.0,
            logit_bias={1: float(name)} if on else None,
            min_tokens=name if on else 0,
            max_tokens=None,
            stop_token_ids=[2],
        )
        made.append(Request(f"r{number}", params, [1], []))
    return made


@pytest.fixture
def builtins():
    from vllm.v1.sample.logits_processor import (
        LogitBiasLogitsProcessor,
        MinPLogitsProcessor,
        MinTokensLogitsProcessor,
    )

    config = VllmConfigView.of(EngineConfig(SchedulerConfig(max_num_seqs=SLOTS)))
    kinds = (MinPLogitsProcessor, LogitBiasLogitsProcessor, MinTokensLogitsProcessor)
    return [kind(config, torch.device("cpu"), False) for kind in kinds]


@pytest.mark.law("C1", "C2", "C6", "D3", "D4")
def test_builtins_hold_the_state_of_live_requests_and_no_other(builtins):
    min_p, bias, min_tokens = builtins
    engine, arrived, played = VllmEngine(SLOTS, builtins), 0, 0
    for _, finished, new, swap, on_before, on_new in histories():
        old = requests_of(on_before, arrived)
        engine.step([request.request_id for request in engine.requests], old)
        newcomers = requests_of(on_new, arrived + len(old))
        arrived, played = arrived + len(old) + new, played + 1
        engine.step([old[slot].request_id for slot in finished], newcomers, [] if swap is None else [swap])

        live = {slot: request.params for slot, request in enumerate(engine.requests)}
        on = {slot: params for slot, params in live.items() if params.min_p}
        values = [on[slot].min_p if slot in on else 0.0 for slot in range(SLOTS)]
        assert min_p.min_p_cpu.tolist() == pytest.approx(values, rel=1e-6, abs=0)
        assert min_p.min_p_count == len(on)
        assert bias.biases == {slot: params.logit_bias for slot, params in on.items()}
        assert {slot: entry[0] for slot, entry in min_tokens.min_toks.items()} == {
            slot: params.min_tokens for slot, params in on.items()
        }
    assert played == ASSIGNED_HISTORIES


class BudgetEngine(VllmEngine):
    """vLLM's batch with its thinking budget; a request's min_tokens, a number of its own, becomes its budget."""

    def __init__(self):
        markers = SimpleNamespace(reasoning_start_token_ids=[8], reasoning_end_token_ids=[9])
        super().__init__(SLOTS, reasoning_config=markers)

    def _state_of(self, request):
        state = super()._state_of(request)
        state.sampling_params.thinking_token_budget = request.params.min_tokens or None
        return state

    def budgets(self):
        """Budget by slot, as vLLM's holder has them."""
        entries = self.input_batch.thinking_budget_state_holder._state
        return {slot: entry["thinking_token_budget"] for slot, entry in entries.items()}


def leaves_a_ghost(update, old):
    """Whether a one-way move has an untracked source and a destination whose finished occupant was tracked."""
    tracked = {slot for slot, request in enumerate(old) if request.params.min_tokens}
    return update is not None and any(
        how is ONE_WAY and source not in tracked and destination in tracked
        for source, destination, how in update.moved
    )


@pytest.mark.law("C6", "D4")
def test_thinking_budget_outlives_its_request_exactly_where_a_plain_one_moves_onto_its_slot():
    """Known finding `thinking_budget_outlives_its_request`: such moves leave a ghost, and nothing else does."""
    played = ghosts = 0
    for _, finished, _, swap, on_before, on_new in histories():
        if swap is not None:
            continue
        engine, old = BudgetEngine(), requests_of(on_before, 0)
        engine.step(new=old)
        update = engine.step([old[slot].request_id for slot in finished], requests_of(on_new, len(old)))
        right = {slot: r.params.min_tokens for slot, r in enumerate(engine.requests) if r.params.min_tokens}
        has_ghost = engine.budgets() != right
        assert has_ghost == leaves_a_ghost(update, old)
        played, ghosts = played + 1, ghosts + has_ghost
    assert (played, ghosts) == (2_003, 116)
