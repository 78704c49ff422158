"""The product's own lockstep campaign with the released vLLM's batch as engine, for their processors and for ours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from logitproof.lockstep import Budget, Report, Verdict, fuzz
from logitproof.spec import Dialect
from logitproof.targets import load_target
from logitproof.vllm_engine import vllm_engine

TARGETS = [
    f"{place}:{name}LogitsProcessor"
    for name, module in (("MinP", "min_p"), ("LogitBias", "logit_bias"), ("MinTokens", "min_tokens"))
    for place in ("vllm.v1.sample.logits_processor", f"logitproof.impl.processors.{module}")
]


@pytest.mark.law("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "C2", "C6", "D2", "D3", "D4")
@pytest.mark.parametrize("name", TARGETS)
def test_vllms_batch_and_the_processor_follow_the_model(name, pytestconfig):
    report = Report(replace(load_target(name), make_engine=vllm_engine))
    seed = int(pytestconfig.getoption("hypothesis_seed"))
    fuzz(report.target, seed, (Dialect.ELIDED,), Budget(60, None, True), "float32", report)
    assert report.verdict is Verdict.CLEAN, (seed, report.note, report.caught)


def test_vllm_speaks_one_dialect():
    with pytest.raises(ValueError, match=r"Dialect\.ELIDED but got dialect=Dialect\.DOCUMENTED"):
        vllm_engine(Dialect.DOCUMENTED, 4)
