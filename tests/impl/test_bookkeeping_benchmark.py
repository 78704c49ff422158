"""The benchmark's own promises: both sides play one history, and a missing peer is said, not skipped."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from logitproof.standin import is_installed

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.skipif(is_installed("vllm"), reason="this environment has vLLM")
@pytest.mark.parametrize("name", ["bookkeeping.py", "sampler.py"])
def test_without_vllm_it_says_so_and_exits_2(name):
    result = subprocess.run(
        [sys.executable, str(BENCHMARKS / name), "--json"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "vLLM is not installed" in result.stderr
