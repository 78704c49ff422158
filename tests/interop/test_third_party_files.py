"""The same files with the real vLLM: the same verdicts, and row for row what the stand-in gives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "third_party"))

from exhibits import CORRECT, FAULTY  # noqa: E402

from logitproof.lockstep import Budget, Verdict, fuzz  # noqa: E402
from logitproof.standin import is_offered  # noqa: E402
from logitproof.targets import load_target  # noqa: E402

ENOUGH = Budget(max_examples=25)
PLAY = ROOT / "third_party" / "play.py"


def named(case):
    return case[1]


@pytest.mark.parametrize("case", CORRECT, ids=named)
def test_a_correct_processor_is_clean(case):
    each, name = case
    report = fuzz(load_target(each.spec(name)), 1, budget=ENOUGH)
    assert not is_offered("vllm")
    assert [caught.findings[0].summary for caught in report.caught] == []
    assert report.verdict is Verdict.CLEAN, report.note


@pytest.mark.parametrize("case", FAULTY, ids=named)
def test_a_faulty_processor_is_found(case):
    each, name = case
    report = fuzz(load_target(each.spec(name)), 1)
    assert report.verdict is Verdict.FAILED
    assert report.caught[0].findings[0].oracle in each.oracles


def test_the_stand_in_gives_the_same_rows_as_the_real_one():
    """Every file once with each, in processes of their own: what was learned, and every row of some histories."""
    played = {}
    for which in ("real", "stand-in"):
        done = subprocess.run(
            [sys.executable, str(PLAY), which], capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr
        played[which] = done.stdout.splitlines()
    assert len(played["real"]) == len(CORRECT)
    assert played["real"] == played["stand-in"]
