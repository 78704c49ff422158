"""Laws that the released vLLM 0.32.0 breaks: each with its smallest history, and what comes out of it, pinned.

A test here fails when vLLM no longer does what it pins; then the finding, and every exclusion that names it, goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest
import torch

from logitproof.impl.request import Request
from logitproof.model.rows import min_tokens_row
from logitproof.spec import (
    LAW_BY_ID,
    BatchUpdate,
    EngineConfig,
    MoveDirectionality,
    SamplingParams,
    SchedulerConfig,
)
from logitproof.vllm_config import VllmConfigView
from logitproof.vllm_engine import VllmEngine
from logitproof.vllm_target import adapt_vllm_processor

VOCAB = 16
THINK, END, END_2 = 8, 9, 10
"""Markers of a thinking section; its end is two tokens long."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What breaks which law, where in vLLM, and when it can happen in a running engine."""

    law: str
    where: str
    what: str
    reached: str


FINDINGS = {
    "thinking_budget_outlives_its_request": Finding(
        "C6",
        "vllm.v1.sample.thinking_budget_state.ThinkingBudgetStateHolder.sync_batch",
        "A one-way move stores the source's state at the destination only if there is one. The destination's finished "
        "occupant is not in `removed`, since the move filled its slot, so its state stays and governs the plain "
        "request that moved in: end markers are forced upon a request without a budget.",
        "the V1 model runner (chosen where Triton is missing, where V2 lacks a feature, or by the environment) with "
        "reasoning configured: a request with a budget finishes and one without moves into its slot",
    ),
    "thinking_budget_is_not_rebuilt": Finding(
        "D4",
        "vllm.v1.sample.thinking_budget_state.ThinkingBudgetStateHolder._init_state_entry",
        "State is rebuilt at an Add from the prompt, and the outputs are then read as if nothing had been forced: a "
        "request that returns between two tokens of its end marker gets the marker again, and one that returns at the "
        "start of its second thinking section gets the second half of the marker only.",
        "the V1 model runner, whenever a request with a budget is unscheduled there and comes back",
    ),
    "min_tokens_empties_a_row": Finding(
        "D8",
        "vllm.v1.sample.logits_processor.MinTokensLogitsProcessor.apply",
        "Banning the stop set can leave a row without a finite logit; the greedy token is then 0, whatever is allowed. "
        "Rows with structured output are spared, others are not.",
        "the V1 model runner: for instance allowed_token_ids inside the stop set, with min_tokens",
    ),
    "min_tokens_forgets_when_outputs_shrink": Finding(
        "D4",
        "vllm.v1.sample.logits_processor.MinTokensLogitsProcessor.update_state",
        "A request that has reached its minimum is forgotten. vLLM's runner also shortens output lists (optimistic "
        "placeholders of speculative decoding that were rejected, tokens lost with a KV cache load), and a request "
        "that falls back below its minimum is not tracked again.",
        "GPUModelRunner._update_states under asynchronous speculative decoding or after a failed load; here the lists "
        "are changed by hand, as it does",
    ),
    "min_tokens_needs_float32": Finding(
        "D1",
        "vllm.v1.sample.logits_processor.MinTokensLogitsProcessor.apply",
        "The value that is written is a float32 tensor, and index_put_ refuses logits of another dtype.",
        "not in vLLM's own sampler, which casts logits to float32 first; in a runner that does not",
    ),
}


def test_findings_name_laws():
    assert all(finding.law in LAW_BY_ID for finding in FINDINGS.values())


class ReasoningEngine(VllmEngine):
    """vLLM's batch with reasoning on; extra_args["budget"] becomes vLLM's thinking_token_budget."""

    def __init__(self):
        markers = SimpleNamespace(reasoning_start_token_ids=[THINK], reasoning_end_token_ids=[END, END_2])
        super().__init__(4, vocab_size=VOCAB, reasoning_config=markers)

    def _state_of(self, request):
        state = super()._state_of(request)
        state.sampling_params.thinking_token_budget = (request.params.extra_args or {}).get("budget")
        return state


def request(name, prompt=(1,), **params):
    """A greedy request."""
    return Request(name, SamplingParams(temperature=0.0, **params), list(prompt), [])


def sample(engine, *favourites):
    """What vLLM's own sampler takes when the model prefers one token for each row."""
    from vllm.v1.sample.sampler import Sampler

    logits = torch.zeros(len(favourites), VOCAB)
    logits[range(len(favourites)), list(favourites)] = 5.0
    return Sampler()(logits, engine.input_batch.sampling_metadata).sampled_token_ids.flatten().tolist()


def min_tokens():
    """vLLM's processor, driven by our updates."""
    from vllm.v1.sample.logits_processor import MinTokensLogitsProcessor

    config = EngineConfig(SchedulerConfig(max_num_seqs=4))
    return adapt_vllm_processor(MinTokensLogitsProcessor)(config, torch.device("cpu"), False)


@pytest.mark.law("C6", "D4")
def test_thinking_budget_outlives_its_request():
    thinker, plain = request("thinker", [THINK], extra_args={"budget": 0}), request("plain")
    engine = ReasoningEngine()
    engine.step(new=[thinker, plain])
    update = engine.step(finished=["thinker"])
    assert (update.removed, update.moved) == ([], [(1, 0, MoveDirectionality.UNIDIRECTIONAL)])
    assert engine.requests == [plain]

    alone = ReasoningEngine()
    alone.step(new=[plain])
    assert sample(alone, 5) == [5]
    assert sample(engine, 5) == [END]


@pytest.mark.law("C6")
def test_thinking_budget_is_right_when_the_slot_is_announced_or_the_newcomer_has_a_budget():
    for budget in (None, {"budget": 9}):
        thinker, other = (
            request("thinker", [THINK], extra_args={"budget": 0}),
            request("other", extra_args=budget),
        )
        engine = ReasoningEngine()
        engine.step(new=[other, thinker])
        assert engine.step(finished=["thinker"]).removed == [1]
        assert sample(engine, 5) == [5]
    engine = ReasoningEngine()
    engine.step(new=[thinker, other])
    engine.step(finished=["thinker"])
    assert sample(engine, 5) == [5]


@pytest.mark.law("D4")
@pytest.mark.parametrize(
    ("budget", "favourites", "resumed_before", "said"),
    [
        pytest.param(2, [3, 3, 3, 3, 3], None, [3, 3, END, END_2, 3], id="marker"),
        pytest.param(2, [3, 3, 3, 3, 3], 3, [3, 3, END, END, END_2], id="marker-resumed"),
        pytest.param(0, [3, 3, THINK, 3, 3], None, [END, END_2, THINK, END, END_2], id="second-section"),
        pytest.param(0, [3, 3, THINK, 3, 3], 3, [END, END_2, THINK, END_2, 3], id="second-section-resumed"),
    ],
)
def test_thinking_budget_is_not_rebuilt(budget, favourites, resumed_before, said):
    thinker, engine = request("thinker", [THINK], extra_args={"budget": budget}), ReasoningEngine()
    engine.step(new=[thinker])
    for number, favourite in enumerate(favourites):
        if number == resumed_before:
            engine.step(finished=["thinker"])
            engine.step(new=[thinker])
        thinker.output_token_ids += sample(engine, favourite)
        engine.step()
    assert thinker.output_token_ids == said


@pytest.mark.law("D8")
def test_min_tokens_empties_a_row():
    params = SamplingParams(min_tokens=1, stop_token_ids=[2])
    banned = [float("-inf")] * 2
    row = [*banned, 1.0, *banned]
    processor = min_tokens()
    processor.update_state(BatchUpdate(1, [], [(0, params, None, [])], []))
    assert min_tokens_row(params, None, [], row) == row
    assert torch.isneginf(processor.apply(torch.tensor([row]))).all()


@pytest.mark.law("D8")
def test_min_tokens_makes_vllm_sample_a_token_that_is_not_allowed():
    from vllm.v1.sample.logits_processor import MinTokensLogitsProcessor

    config = VllmConfigView.of(EngineConfig(SchedulerConfig(max_num_seqs=4)))
    engine = VllmEngine(4, [MinTokensLogitsProcessor(config, torch.device("cpu"), False)], VOCAB)
    engine.step(new=[request("r", allowed_token_ids=[2], min_tokens=1, stop_token_ids=[2])])
    assert sample(engine, 3) == [0]


@pytest.mark.law("D4")
def test_min_tokens_forgets_when_outputs_shrink():
    params, outputs = SamplingParams(min_tokens=3, stop_token_ids=[2]), [7]
    processor = min_tokens()
    processor.update_state(BatchUpdate(1, [], [(0, params, None, outputs)], []))
    outputs += [-1, -1]
    processor.update_state(None)
    del outputs[1:]
    processor.update_state(None)
    logits = torch.zeros(1, 4)
    assert torch.isneginf(torch.tensor(min_tokens_row(params, None, outputs, [0.0] * 4)))[2]
    assert torch.isfinite(processor.apply(logits)).all()


@pytest.mark.law("D1")
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_min_tokens_needs_float32(dtype):
    processor = min_tokens()
    processor.update_state(
        BatchUpdate(1, [], [(0, SamplingParams(min_tokens=1, stop_token_ids=[2]), None, [])], [])
    )
    with pytest.raises(RuntimeError, match="dtypes match"):
        processor.apply(torch.zeros(1, 4, dtype=dtype))
