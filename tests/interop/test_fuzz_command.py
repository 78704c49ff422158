"""`logitproof fuzz` on classes of the released vLLM, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BUILTINS = [
    f"vllm.v1.sample.logits_processor:{feature}LogitsProcessor"
    for feature in ("MinP", "LogitBias", "MinTokens")
]
THINKING_BUDGET = f"{Path(__file__).parent / 'thinking_budget.py'}:ThinkingBudget"
COMMAND = Path(sys.executable).with_name("logitproof")
OPERATIONS = {"refill", "extend", "remove", "move", "swap", "none"}


def fuzz(folder, *arguments):
    """Exit code, the JSON object, and what was said on standard error."""
    command = [str(COMMAND), "fuzz", "--json", "--report-dir", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.startswith("{"), done.stderr
    return done.returncode, json.loads(done.stdout), done.stderr


@pytest.mark.law("A1", "A2", "A3", "A4", "C1", "C4", "C5", "C6", "D1", "D2", "D3", "D4", "D5", "D8")
def test_builtins_are_clean_within_the_default_budget(tmp_path):
    code, report, said = fuzz(tmp_path, *BUILTINS)
    assert code == 0, said
    assert [target["target"] for target in report["targets"]] == BUILTINS
    for target in report["targets"]:
        assert target["findings"] == []
        assert target["steps"] > 1_000
        assert {operation for operation in OPERATIONS if target["transitions"].get(operation)} == OPERATIONS


@pytest.mark.law("C6", "D2")
def test_the_thinking_budget_fault_is_found_and_shrunk(tmp_path):
    """Known finding `thinking_budget_outlives_its_request`: two requests, one finishes, its slot is moved into."""
    code, report, _ = fuzz(tmp_path, THINKING_BUDGET, "--dialect", "elided", "--seed", "1")
    assert code == 1
    (target,) = report["targets"]
    finding = target["findings"][0]
    assert finding["law"] in ("D2", "C6", "D4")
    assert finding["history_steps"] <= 3


@pytest.mark.law("C1", "C3")
def test_builtins_have_a_latent_fault_in_the_redundant_dialect(tmp_path):
    """They handle adds before removes and drop the newcomer; no engine announces a slot that an Add refilled."""
    code, report, _ = fuzz(tmp_path, *BUILTINS, "--dialect", "redundant", "--seed", "1")
    assert code == 1
    for target in report["targets"]:
        assert target["findings"][0]["history_steps"] <= 2


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_min_tokens_is_reported_for_half_precision(tmp_path, dtype):
    """Known finding `min_tokens_needs_float32`."""
    code, report, _ = fuzz(tmp_path, BUILTINS[2], "--dtype", dtype, "--seed", "1")
    assert code == 1
    (target,) = report["targets"]
    assert "RuntimeError" in target["findings"][0]["summary"]


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_the_other_builtins_are_clean_in_half_precision(tmp_path, dtype):
    code, report, said = fuzz(tmp_path, *BUILTINS[:2], "--dtype", dtype, "--max-examples", "25")
    assert code == 0, (report, said)
