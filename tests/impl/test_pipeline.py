"""All processors together, at a size where short cuts are taken, against the model; and seeds in company."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
import torch

from logitproof.impl import Request, Runner, SchedulerOutput
from logitproof.impl.pipeline import PipelineLogitsProcessor, mixed_params
from logitproof.model.rows import pipeline_row
from logitproof.spec import EngineConfig, ModelConfig, SamplingParams
from logitproof.targets.known import known, whole_row

VOCAB = 5003


@pytest.mark.law("E1", "E2", "E3", "D4")
@pytest.mark.parametrize("seed", range(4))
def test_kept_tokens_and_logits_are_the_models(seed, make_processor, add):
    rng, source = random.Random(seed), torch.Generator().manual_seed(seed)
    params = [mixed_params(rng, VOCAB) for _ in range(4)]
    outputs = [[rng.randrange(VOCAB) for _ in range(5)] for _ in params]
    processor, right = make_processor(PipelineLogitsProcessor), known(PipelineLogitsProcessor).reference
    processor.update_state(add(*params, outputs=outputs))
    logits = torch.randn(4, VOCAB, generator=source) * rng.choice([0.5, 2.0, 6.0])
    result = processor.apply(logits.clone())
    for p, said, before, after in zip(params, outputs, logits, result, strict=True):
        wanted = torch.tensor(right(p, None, said, before.tolist()), dtype=torch.float64)
        assert torch.equal(wanted == -math.inf, after == -math.inf), p
        torch.testing.assert_close(after.double(), wanted, rtol=1e-6, atol=1e-6)


def forward(requests):
    """Logits that depend on the request's own outputs only."""
    rows = []
    for request in requests:
        source = torch.Generator().manual_seed(len(request.output_token_ids) * 7919)
        rows.append(torch.randn(VOCAB, generator=source) * 2)
    return torch.stack(rows)


@pytest.mark.law("D4")
def test_a_seeded_request_with_every_feature_gets_the_same_tokens_alone_and_in_company():
    params = SamplingParams(
        seed=11,
        temperature=0.8,
        top_p=0.95,
        top_k=200,
        min_p=1e-4,
        repetition_penalty=1.3,
        frequency_penalty=0.4,
        presence_penalty=0.2,
        logit_bias={1: 2.0},
        bad_words=[[1]],
        max_tokens=None,
    )

    def run(seed):
        rng = random.Random(seed)
        runner = Runner(EngineConfig(model_config=ModelConfig(vocab_size=VOCAB)), forward)
        subject = Request("subject", params, [3, 4])
        runner.add_request(subject)
        others, number = {}, 0
        for step in range(25):
            gone = [name for name in others if rng.random() < 0.3] if seed else []
            for name in gone:
                del others[name]
            new = []
            for _ in range(rng.randrange(3) if seed else 0):
                number += 1
                new.append(Request(f"r{number}", mixed_params(rng, VOCAB), [5]))
                runner.add_request(new[-1])
            others |= {request.request_id: request for request in new}
            size = len(others) + 1
            swaps = [tuple(rng.sample(range(size), 2))] if size > 1 else []
            entering = [subject, *new] if step == 0 else new
            rng.shuffle(entering)
            runner.step(SchedulerOutput(finished=gone, new=entering, swaps=swaps))
        return subject.output_token_ids

    alone = run(0)
    assert len(set(alone)) > 10
    assert run(1) == run(2) == alone


@pytest.mark.law("D6")
def test_a_request_that_is_refused_changes_nothing():
    runner = Runner(EngineConfig(model_config=ModelConfig(vocab_size=8)), forward)
    with pytest.raises(ValueError, match="bad_words has"):
        runner.add_request(Request("r", SamplingParams(bad_words=[[9]]), [1]))
    runner.add_request(Request("r", SamplingParams(bad_words=[[7]]), [1]))


@pytest.mark.law("E1", "E2", "E3")
@pytest.mark.parametrize("seed", range(20))
def test_the_references_of_the_entries_make_up_the_pipeline_of_the_model(seed):
    rng = random.Random(seed)
    # A processor that is not the model's own asks for something of its own.
    params = replace(mixed_params(rng, 9), extra_args=None)
    row = [rng.choice([-math.inf, rng.uniform(-3, 3), 1.0]) for _ in range(9)]
    assert whole_row(params, [1], [2, 2], row) == pipeline_row(params, [1], [2, 2], row)
