"""Order of the processors, greedy and random rows, seeds, and rows that cannot be sampled."""

from __future__ import annotations

import math
import random

import pytest
import torch

from logitproof.impl import (
    PersistentBatch,
    ProcessorSet,
    Request,
    Sampler,
    UnsampleableRowError,
    load_processors,
)
from logitproof.impl.processor_set import partition
from logitproof.spec import BatchUpdate, EngineConfig, SamplingParams

INF, NAN = math.inf, math.nan
GREEDY = SamplingParams(temperature=0.0)


def request(name="r", outputs=(), **params):
    return Request(name, SamplingParams(**params), [1], list(outputs))


class Step:
    """A stand-in processor that notes its call and changes the logits as told."""

    def __init__(self, log, name, invariant, change=lambda logits: logits):
        self.log, self.name, self.invariant, self.change = log, name, invariant, change

    def is_argmax_invariant(self):
        return self.invariant

    def apply(self, logits):
        self.log.append((self.name, logits.clone()))
        return self.change(logits)


def noting(log, **changes):
    steps = [Step(log, "invariant", True), Step(log, "changing", False)]
    for step in steps:
        step.change = changes.get(step.name, step.change)
    return Sampler(partition(steps))


def names(log):
    return [name for name, _ in log]


@pytest.mark.law("E1", "E2")
def test_an_all_greedy_batch_skips_the_invariant_ones():
    log = []
    sampler = noting(log, changing=lambda logits: -logits)
    tokens = sampler.sample(
        torch.tensor([[1.0, 2.0], [2.0, 1.0]]), [Request("a", GREEDY), Request("b", GREEDY)]
    )
    assert tokens == [0, 1]
    assert names(log) == ["changing"]


@pytest.mark.law("E1", "E3")
def test_a_mixed_batch_runs_both_kinds_on_every_row():
    log = []
    logits = torch.tensor([[1.0, 2.0], [2.0, 9.0]])
    noting(log).sample(logits.clone(), [Request("a", GREEDY), request("b", temperature=0.5)])
    assert names(log) == ["changing", "invariant"]
    assert log[0][1].equal(logits)
    assert log[1][1].equal(logits)


@pytest.mark.law("E3", "E4")
def test_a_greedy_row_gets_its_argmax_in_any_company():
    logits = torch.randn(1, 100, generator=torch.Generator().manual_seed(0))
    alone = Sampler(ProcessorSet()).sample(logits.clone(), [Request("a", GREEDY)])
    mixed = Sampler(ProcessorSet()).sample(logits.repeat(2, 1), [request("b"), Request("a", GREEDY)])
    assert mixed[1] == alone[0] == logits.argmax().item()


@pytest.mark.law("D4")
def test_a_seeded_request_draws_the_same_tokens_whatever_its_slot_and_neighbours():
    def forward(requests):
        rows = []
        for r in requests:
            generator = torch.Generator().manual_seed(sum(r.output_token_ids) * 31 + len(r.output_token_ids))
            rows.append(torch.randn(50, generator=generator))
        return torch.stack(rows)

    def run(sampler, batch, subject, rng):
        for step in range(20):
            others = [r for r in batch.requests if r is not subject]
            gone = [r.request_id for r in others if rng.random() < 0.3]
            new = [request(f"{step}-{i}", seed=rng.choice([None, 1, 7])) for i in range(rng.randrange(3))]
            size = len(batch) - len(gone) + len(new)
            swaps = [tuple(rng.sample(range(size), 2))] if size > 1 else []
            batch.step(finished=gone, new=new, swaps=swaps)
            for r, token in zip(
                batch.requests, sampler.sample(forward(batch.requests), batch.requests), strict=True
            ):
                r.output_token_ids.append(token)
        return subject.output_token_ids

    sampler = Sampler(ProcessorSet())
    histories = set()
    for seed in range(5):
        subject, batch = request("s", seed=7), PersistentBatch()
        batch.step(new=[request("x"), subject])
        histories.add(tuple(run(sampler, batch, subject, random.Random(seed))))
    alone = request("s", seed=7)
    for _ in range(20):
        alone.output_token_ids += sampler.sample(forward([alone]), [alone])
    assert histories == {tuple(alone.output_token_ids)}
    assert len(set(alone.output_token_ids)) > 5


def test_unseeded_requests_use_the_global_generator():
    logits = torch.zeros(3, 1000)
    requests = [request(str(row)) for row in range(3)]
    torch.manual_seed(3)
    first = Sampler(ProcessorSet()).sample(logits.clone(), requests)
    second = Sampler(ProcessorSet()).sample(logits.clone(), requests)
    torch.manual_seed(3)
    assert Sampler(ProcessorSet()).sample(logits.clone(), requests) == first != second
    assert len(set(first)) > 1


@pytest.mark.law("D8")
@pytest.mark.parametrize("params", [GREEDY, SamplingParams()])
@pytest.mark.parametrize(
    ("row", "what"),
    [([-INF, -INF], "no finite logit"), ([NAN, 1.0], "NaN"), ([INF, 1.0], r"a logit of \+inf")],
)
def test_a_row_that_cannot_be_sampled_is_an_error_with_its_request(params, row, what):
    logits = torch.tensor([[0.0, 1.0], row])
    requests = [Request("fine", GREEDY), Request("broken", params)]
    with pytest.raises(UnsampleableRowError, match=f"'broken' .row 1. has {what}"):
        Sampler(ProcessorSet()).sample(logits.clone(), requests)
    assert Sampler(ProcessorSet()).sample(logits.clone(), requests, discarded={1})[0] == 1


@pytest.mark.law("D8")
def test_a_row_emptied_by_an_invariant_processor_is_an_error():
    def empty(logits):
        return logits.fill_(-INF)

    with pytest.raises(UnsampleableRowError, match="no finite logit"):
        noting([], invariant=empty).sample(torch.zeros(1, 2), [request()])


def test_a_very_low_temperature_takes_the_highest_logit():
    logits = torch.tensor([[1e3, 1e3 + 1, -1e3, -INF]])
    cold = request(temperature=1e-300)
    processors = load_processors((), EngineConfig(), torch.device("cpu"), False)
    processors.update_state(BatchUpdate(1, [], [(0, cold.params, None, cold.output_token_ids)], []))
    assert Sampler(processors).sample(logits, [cold]) == [1]


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16, torch.float64])
def test_other_float_dtypes_are_sampled_in_float32(kind):
    log = []
    assert noting(log).sample(torch.tensor([[0.0, 5.0]], dtype=kind), [Request("a", GREEDY)]) == [1]
    assert log[0][1].dtype is torch.float32


@pytest.mark.parametrize("logits", [torch.zeros(1, 4), torch.zeros(2), torch.zeros(2, 4, dtype=torch.int64)])
def test_logits_of_a_wrong_shape_are_named(logits):
    with pytest.raises(ValueError, match="num_requests=2"):
        Sampler(ProcessorSet()).sample(logits, [request("a"), request("b")])


def test_an_empty_batch_has_no_tokens():
    assert Sampler(ProcessorSet()).sample(torch.zeros(0, 4), []) == []
