"""`logitproof trace` as a user runs it: exit codes, the timeline, JSON, and errors of one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from logitproof.cli import main

REAL = Path(__file__).parent / "recordings" / "vllm_0_32_preempted.jsonl"


def run(*arguments):
    return CliRunner().invoke(main, ["trace", *map(str, arguments)])


@pytest.fixture
def damaged(tmp_path):
    """The real recording with a move from an empty slot in step 20."""
    lines = [json.loads(line) for line in REAL.read_text().splitlines()]
    lines[20]["update"]["moved"].append([3, 1, "UNIDIRECTIONAL"])
    path = tmp_path / "damaged.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n")
    return path


def test_a_clean_recording_says_what_was_seen():
    result = run(REAL)
    assert result.exit_code == 0, result.output
    for part in ("elided (6 updates tell)", "52 steps, 5 requests, 3 of them came back", "79% of the steps"):
        assert part in result.output
    assert "VIOLATION" not in result.output
    assert max(map(len, result.output.splitlines())) <= 90


def test_a_violation_is_drawn_with_the_steps_before(damaged):
    result = run(damaged)
    assert result.exit_code == 1
    shown = result.output.partition("VIOLATION")[2]
    assert "A3 in step 20 (line 21): Move 3->1: slot 3 is empty" in shown
    assert shown.index("  step 19") < shown.index("  step 20") < shown.index("  Move 3->1")
    assert "Law A3:" in shown
    assert shown.rstrip().endswith("1 broken; 52 steps; exit 1")


def test_json_is_one_object(damaged):
    result = run("--json", REAL, damaged)
    assert result.exit_code == 1
    clean, broken = json.loads(result.output)["recordings"]
    assert (clean["verdict"], clean["dialects"]) == ("clean", ["elided"])
    assert clean["seen"]["longest_run_of_swaps"] == 0
    assert (broken["verdict"], broken["violations"][0]["law"], broken["violations"][0]["step"]) == (
        "broken",
        "A3",
        20,
    )
    assert broken["laws"]["A3"] == {"checked": 4, "broken": 1}


def test_nothing_seen_is_vacuous(tmp_path):
    path = tmp_path / "empty.jsonl"
    path.write_text(REAL.read_text().splitlines()[0] + "\n")
    assert run(path).exit_code == 4


NOT_RECORDINGS = {
    "": "not a recording",
    "hello\n": "not a recording",
    '{"format": "logitproof.recording", "version": 9, "by": "1.0"}\n': "upgrade logitproof",
    '{"format": "logitproof.recording", "version": 1, "by": "1.0", "batch": [3]}\n': "damaged",
}


@pytest.mark.parametrize(("text", "said"), NOT_RECORDINGS.items())
def test_what_is_no_recording_is_a_usage_error_of_one_line(tmp_path, text, said):
    path = tmp_path / "file.jsonl"
    path.write_text(text)
    result = run(path)
    assert result.exit_code == 2
    assert said in result.output
    assert result.output.count("\n") == 1


def test_a_missing_file_is_a_usage_error():
    result = run("nowhere.jsonl")
    assert result.exit_code == 2
    assert result.output.count("\n") == 1


@pytest.mark.parametrize("option", ["--history", "--like"])
def test_fuzz_with_a_recording_finds_a_processor_that_ignores_moves(tmp_path, option):
    museum = Path(__file__).parents[1] / "museum" / "min_p_moves_ignored.py"
    arguments = ["fuzz", f"{museum}:MinPMovesIgnored", option, str(REAL), "--seed", "1", "--json"]
    result = CliRunner().invoke(main, [*arguments, "--report-dir", str(tmp_path)])
    assert result.exit_code == 1, result.output
    (target,) = json.loads(result.output)["targets"]
    assert target["findings"][0]["law"] in ("D4", "D2")


@pytest.mark.parametrize("option", ["--history", "--like"])
def test_fuzz_with_a_recording_leaves_a_sound_processor_in_peace(tmp_path, option):
    target = "logitproof.impl.processors.min_p:MinPLogitsProcessor"
    arguments = ["fuzz", target, option, str(REAL), "--max-examples", "30", "--json"]
    result = CliRunner().invoke(main, [*arguments, "--report-dir", str(tmp_path)])
    assert result.exit_code == 0, result.output


def test_fuzz_refuses_a_recording_that_breaks_a_law(damaged):
    target = "logitproof.impl.processors.min_p:MinPLogitsProcessor"
    result = CliRunner().invoke(main, ["fuzz", target, "--history", str(damaged)])
    assert result.exit_code == 2
    assert "breaks A3 in step 20" in result.output
