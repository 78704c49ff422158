"""vLLM's MinP, LogitBias and MinTokens on vLLM's own batch, row by row against our references and against solo runs.

Histories are random: several requests finish at once, leave and come back with their outputs, swap slots, share params,
lose sampled tokens; features are on for some and off for others.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from logitproof.impl.request import Request
from logitproof.model.rows import logit_bias_row, min_p_row, min_tokens_row
from logitproof.spec import EngineConfig, SamplingParams, SchedulerConfig
from logitproof.vllm_config import VllmConfigView
from logitproof.vllm_engine import VllmEngine

SLOTS, VOCAB = 8, 16
EXAMPLES = 40
FLOORS = {
    "steps": 400,
    "resumed": 40,
    "UNIDIRECTIONAL": 40,
    "SWAP": 40,
    "changed rows": 100,
    "plain rows": 100,
    "discarded tokens": 40,
}
"""Least that a run must have seen, far below what is usual: a generator that went lame fails instead of passing."""

REFERENCES = {"min_p": min_p_row, "logit_bias": logit_bias_row, "min_tokens": min_tokens_row}


@dataclass(frozen=True, slots=True)
class Tolerance:
    """value: relative error of a changed logit. cutoff: relative distance of a probability from min-p's limit within
    which a token may be kept or dropped."""

    value: float
    cutoff: float
    reason: str


TOLERANCES = {
    torch.float32: Tolerance(1e-6, 1e-5, "vLLM computes in float32, the reference in float64"),
    torch.float16: Tolerance(1e-3, 4e-3, "softmax, limit and sum are each rounded to 11 bits"),
    torch.bfloat16: Tolerance(8e-3, 3e-2, "softmax, limit and sum are each rounded to 8 bits"),
}

EXCLUDED = {
    ("min_tokens", dtype): "apply raises RuntimeError: known finding min_tokens_needs_float32"
    for dtype in (torch.float16, torch.bfloat16)
}
"""test_known_findings.py fails when an exclusion is no longer needed."""

CASES = [
    pytest.param(feature, dtype, id=f"{feature}-{str(dtype).removeprefix('torch.')}")
    for feature in REFERENCES
    for dtype in TOLERANCES
    if (feature, dtype) not in EXCLUDED
]

PARAMS = (
    SamplingParams(),
    SamplingParams(min_p=0.1),
    SamplingParams(min_p=0.55, temperature=0.0),
    SamplingParams(min_p=1.0),
    SamplingParams(logit_bias={0: 4.5, 5: -100.0}),
    SamplingParams(logit_bias={15: 0.3}),
    SamplingParams(min_tokens=3, stop_token_ids=[1, 2]),
    SamplingParams(min_tokens=6, stop_token_ids=[3], eos_token_id=0, ignore_eos=True),
    SamplingParams(min_tokens=2),
    SamplingParams(min_p=0.3, logit_bias={7: -2.25}, min_tokens=4, eos_token_id=4),
)
"""Shared by all requests that draw them, as with n > 1."""
USERS = {
    "min_p": lambda params: params.min_p > 0,
    "logit_bias": lambda params: bool(params.logit_bias),
    "min_tokens": lambda params: params.min_tokens > 0,
}


def make(feature):
    """A new instance of vLLM's processor."""
    from vllm.v1.sample import logits_processor

    name = {"min_p": "MinP", "logit_bias": "LogitBias", "min_tokens": "MinTokens"}[feature]
    config = VllmConfigView.of(EngineConfig(SchedulerConfig(max_num_seqs=SLOTS)))
    return getattr(logits_processor, f"{name}LogitsProcessor")(config, torch.device("cpu"), False)


class Solo:
    """A request alone in a vLLM batch of one, with the live output list of the real run."""

    def __init__(self, feature, request):
        self.processor = make(feature)
        self.engine = VllmEngine(1, [self.processor], VOCAB, max_model_len=256)
        self.update = [request]

    def row(self, logits):
        """The request's row of this step; logits: (vocab,)."""
        self.engine.step(new=self.update)
        self.update = []
        return self.processor.apply(logits.clone().unsqueeze(0))[0]


def logits_of(number, outputs, dtype):
    """A row that depends on the request and on how far it is, on nothing else; some tokens are banned already."""
    source = torch.Generator().manual_seed(number * 1009 + outputs)
    row = torch.randn(VOCAB, generator=source) * 3
    row[torch.rand(VOCAB, generator=source) < 0.1] = -math.inf
    row[number % VOCAB] = 4.0
    return row.to(dtype)


def assert_row(feature, request, before, after, limit):
    """Against the reference; tokens closer to min-p's limit than rounding may fall on either side of it."""
    params, row = request.params, before.tolist()
    expected = REFERENCES[feature](params, request.prompt_token_ids, request.output_token_ids, row)
    for token, (was, right, got) in enumerate(zip(row, expected, after.tolist(), strict=True)):
        if feature == "min_p" and params.min_p and got in (was, -math.inf):
            relative = math.exp(was - max(row)) / params.min_p
            if got == right or abs(relative - 1) <= limit.cutoff:
                continue
        assert got == pytest.approx(right, rel=limit.value, abs=limit.value), (feature, params, token)


def play(script, feature, dtype, seen):
    """One history; what happened in it is counted in `seen`."""
    processor = make(feature)
    engine = VllmEngine(SLOTS, [processor], VOCAB)
    solos, waiting, numbers = {}, [], {}
    while not script.spent:
        before = engine.requests
        decision = script.step(len(before), len(waiting), SLOTS)
        new = []
        for _ in range(decision.new):
            request = Request(f"r{len(numbers)}", PARAMS[script.byte() % len(PARAMS)], [1, 2], [])
            numbers[request], solos[request] = len(numbers), Solo(feature, request)
            new.append(request)
        new += [waiting[place] for place in decision.resumed]
        leaving = [before[slot].request_id for slot in (*decision.finished, *decision.unscheduled)]
        update = engine.step(leaving, new, decision.swaps)
        waiting = [request for place, request in enumerate(waiting) if place not in decision.resumed]
        waiting += [before[slot] for slot in decision.unscheduled]
        seen["steps"] += 1
        seen["resumed"] += len(decision.resumed)
        for *_, how in () if update is None else update.moved:
            seen[how.name] += 1
        live = engine.requests
        if not live:
            continue
        given = torch.stack([logits_of(numbers[r], len(r.output_token_ids), dtype) for r in live])
        passed = given.clone()
        returned = processor.apply(passed)
        assert returned.shape == given.shape
        assert returned.dtype == dtype
        if not any(USERS[feature](request.params) for request in live):
            assert returned is passed
        for slot, request in enumerate(live):
            assert torch.equal(returned[slot], solos[request].row(given[slot]))
            if USERS[feature](request.params):
                assert_row(feature, request, given[slot], returned[slot], TOLERANCES[dtype])
                seen["changed rows"] += not torch.equal(returned[slot], given[slot])
            else:
                assert torch.equal(returned[slot], given[slot])
                seen["plain rows"] += 1
            if script.byte() < 200:
                request.output_token_ids.append(numbers[request] % VOCAB)
            else:
                seen["discarded tokens"] += 1


@pytest.mark.law("C2", "C4", "C5", "C6", "D1", "D2", "D3", "D4")
@pytest.mark.parametrize(("feature", "dtype"), CASES)
def test_rows_equal_reference_and_solo_run(feature, dtype, read_script):
    seen = Counter()

    @settings(max_examples=EXAMPLES, deadline=None, print_blob=True)
    @given(content=st.binary(min_size=200, max_size=600))
    def every_history(content):
        play(read_script(content), feature, dtype, seen)

    every_history()
    print(f"{feature} {dtype}: {dict(seen)}")
    assert {kind: seen[kind] for kind in FLOORS if seen[kind] < FLOORS[kind]} == {}


@pytest.mark.law("D5")
def test_only_min_p_declares_that_it_keeps_the_argmax():
    assert {feature: make(feature).is_argmax_invariant() for feature in REFERENCES} == {
        "min_p": True,
        "logit_bias": False,
        "min_tokens": False,
    }
