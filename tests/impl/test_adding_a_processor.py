"""The file that the README shows makes a processor built in, by lying in `impl/processors`, and needs no other."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from logitproof.targets import load_target

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/margin.py"
GENERIC = "margin or test_registry or test_pipeline or declarations"
"""The generic tests of the new entry, and those that see all entries together."""


@pytest.fixture(scope="module")
def rooms(tmp_path_factory):
    """A copy of the package, laid out like the wheel, with the file in it."""
    copy = tmp_path_factory.mktemp("rooms")
    without_caches = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "logitproof", copy / "logitproof", ignore=without_caches)
    for room in ("spec", "model", "proofs", "impl"):
        shutil.copytree(ROOT / room, copy / "logitproof" / room, ignore=without_caches)
    shutil.copy(EXAMPLE, copy / "logitproof/impl/processors")
    return copy


def python(rooms, *arguments):
    environment = os.environ | {"PYTHONPATH": str(rooms), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=rooms, env=environment, capture_output=True, text=True, check=False
    )


def test_the_example_is_at_most_thirty_lines_of_code():
    assert sum(bool(line.strip()) for line in EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 30


def test_it_can_be_fuzzed_where_it_lies(monkeypatch):
    monkeypatch.chdir(ROOT)
    target = load_target("examples/margin.py:Margin")
    assert target.params_from == "built in"
    assert target.reference_from == "examples/margin.py:margin_row"


@pytest.mark.law("E5", "E1", "D5")
def test_the_generic_tests_find_it_and_pass(rooms):
    files = [
        f"{ROOT}/tests/impl/test_{name}.py" for name in ("entries", "strategies", "registry", "pipeline")
    ]
    ran = python(
        rooms,
        "-m",
        "pytest",
        "-v",
        "-p",
        "no:cacheprovider",
        "-k",
        GENERIC,
        "-c",
        f"{ROOT}/pyproject.toml",
        *files,
    )
    assert ran.returncode == 0, ran.stdout
    assert "test_rows_equal_the_reference_after_random_updates[torch.float32-margin]" in ran.stdout


@pytest.mark.parametrize(
    "target",
    ["logitproof.impl.processors.margin:Margin", "logitproof.impl.pipeline:PipelineLogitsProcessor"],
)
def test_the_fuzzer_finds_nothing_in_it_nor_in_the_pipeline_that_it_is_part_of(rooms, target):
    command = "import sys; from logitproof.cli import main; sys.exit(main())"
    ran = python(rooms, "-c", command, "fuzz", target, "--max-examples", "15", "--seed", "0")
    assert ran.returncode == 0, ran.stdout + ran.stderr
