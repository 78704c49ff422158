"""Every exhibit is found within the default budget, whatever the seed, and its history comes out short."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from logitproof.lockstep import Verdict, fuzz
from logitproof.targets import load_target

MUSEUM = Path(__file__).parent.parent / "museum"
MOST_STEPS = 3
SEEDS = (0, 1, 2)


def exhibits() -> list[str]:
    """`path:Name` of every faulty processor: the class that a file defines."""
    return [
        f"{path}:{node.name}"
        for path in sorted(MUSEUM.glob("*.py"))
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.ClassDef)
    ]


def test_there_is_one_exhibit_per_file_and_they_cover_the_named_faults():
    files = {path.stem for path in MUSEUM.glob("*.py")}
    assert len(exhibits()) == len(files)
    for fault in ("moves_ignored", "swap_half_done", "kept_after_removal", "counter_drifts", "none_ignored"):
        assert any(name.endswith(fault) for name in files)


@pytest.mark.law("A3", "A4", "C1", "C4", "C6", "D2", "D4")
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("exhibit", exhibits(), ids=lambda spec: spec.rpartition(":")[2])
def test_the_fault_is_found_and_its_history_is_short(exhibit, seed):
    report = fuzz(load_target(exhibit), seed)
    assert report.verdict is Verdict.FAILED
    assert len(report.caught[0].history.steps) <= MOST_STEPS
    assert report.caught[0].findings
