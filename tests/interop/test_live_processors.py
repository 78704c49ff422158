"""Our processors in a real engine, in place of vLLM's: loaded in all three ways, and every row equals the reference."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import pytest

from logitproof.model.rows import logit_bias_row, min_p_row, min_tokens_row
from logitproof.spec import SamplingParams

sys.path.append(str(Path(__file__).parent))
import live_runs  # what lies beside the tests is found only now

CASES = {
    "min_tokens": ("BeforeMinTokens", "AfterMinTokens", min_tokens_row),
    "logit_bias": ("AfterMinTokens", "AfterLogitBias", logit_bias_row),
    "min_p": ("BeforeMinP", "AfterMinP", min_p_row),
}
"""The probes before and after each processor. Min-tokens is loaded by an entry point, logit bias as a class, min-p by
its name."""
RELATIVE = 1e-5
"""float32 against float64, and the distance of a probability from min-p's limit within which either answer is right."""


def requests():
    """Ten requests for four slots; each uses another mix of the three features, one none at all."""
    mixes = (
        {},
        {"min_p": 0.3},
        {"logit_bias": {"5": 3.0, "9": -100.0}},
        {"min_tokens": 6, "stop_token_ids": [11, 12]},
        {"min_p": 0.1, "logit_bias": {"40": 2.5}, "min_tokens": 12, "stop_token_ids": [3]},
    )
    return [
        {
            "prompt": live_runs.prompt(number, 4 + 3 * (number % 4)),
            "params": {"max_tokens": 8 + 3 * number, **mixes[number % len(mixes)]},
            "at": number // 4,
        }
        for number in range(10)
    ]


def distribution(folder):
    """A distribution that is only metadata, as pip would leave it: its entry points are what vLLM looks for."""
    info = folder / "live_plugin-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: live-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[vllm.logits_processors]\n"
        "first = live_targets:BeforeMinTokens\n"
        "min_tokens = logitproof.vllm_load:MinTokensLogitsProcessor\n"
        "last = live_targets:AfterMinTokens\n"
    )
    return str(folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("processors")
    plan = {
        "path": [distribution(folder / "site")],
        "processors": [
            "logitproof.record:Recorder",
            "class:logitproof.vllm_load:LogitBiasLogitsProcessor",
            "live_targets:AfterLogitBias",
            "live_targets:BeforeMinP",
            "logitproof.vllm_load:MinPLogitsProcessor",
            "live_targets:AfterMinP",
            "logitproof.record:Recorder",
        ],
        "builtins": False,
        "engine": live_runs.PRESSED,
        "requests": requests(),
        "probe": "live_targets",
    }
    return live_runs.live(folder, plan)


def spec_params(fields, stops):
    bias = fields["logit_bias"] and {int(token): value for token, value in fields["logit_bias"].items()}
    return SamplingParams(
        min_p=fields["min_p"],
        min_tokens=fields["min_tokens"],
        max_tokens=None,
        logit_bias=bias,
        stop_token_ids=stops,
    )


@pytest.mark.law("D1", "D2", "D4", "C1", "C5", "E1", "E3", "E5")
@pytest.mark.parametrize("feature", CASES)
def test_every_row_equals_its_reference(run, feature):
    first, second, reference = CASES[feature]
    before, after = run.result["probe"][first], run.result["probe"][second]
    assert len(before) == len(after) > 100
    changed = 0
    for (*state, given), (*same, got) in zip(before, after, strict=True):
        assert state == same
        _, _, fields, stops, prompt, outputs = state
        params = spec_params(fields, stops)
        wanted = reference(params, prompt, outputs, given)
        for token, (right, actual) in enumerate(zip(wanted, got, strict=True)):
            if feature == "min_p" and params.min_p and actual in (given[token], -math.inf):
                probability = math.exp(given[token] - max(given))
                if abs(probability / params.min_p - 1) <= RELATIVE:
                    continue
            assert actual == pytest.approx(right, rel=RELATIVE, abs=RELATIVE), (state, token)
        if not (fields[feature] if feature != "min_tokens" else fields["min_tokens"] > len(outputs)):
            assert got == given
        changed += got != given
    assert changed > 10


@pytest.mark.law("C2", "C4")
def test_recorders_before_and_after_see_the_same(run):
    code, (before, after) = live_runs.trace(*run.recordings)
    assert code == 0
    assert before["dialects"] == after["dialects"] == ["elided"]
    assert {**before, "file": None} == {**after, "file": None}
    assert before["seen"]["operations"]["move"] > 0
    assert before["seen"]["operations"]["resume"] > 0
