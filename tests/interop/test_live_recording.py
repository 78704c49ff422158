"""A recorder in a real engine: more requests than slots, aborts, pre-emption, chunked prefill. Recordings are clean.

The engine that is aborted also runs a faulty processor under a shadow, which must find it.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))
import live_runs  # what lies beside the tests is found only now

RECORDER = "logitproof.record:Recorder"
LENGTHS = (3, 40, 9, 25, 14, 31, 5, 47, 20, 11)
NEVER = {"logit_bias": {str(token): -50.0 for token in range(8, 24)}}


def crowded():
    """Ten requests for four slots, one token long to 47, two of them aborted; every other one bans tokens."""
    requests = [
        {
            "prompt": live_runs.prompt(number, 1 + number),
            "params": {
                "max_tokens": length,
                "ignore_eos": True,
                "seed": number,
                **(NEVER if number % 2 else {}),
            },
            "at": number // 3,
        }
        for number, length in enumerate(LENGTHS)
    ]
    requests[3]["abort_at"] = 8
    requests[7]["abort_at"] = 30
    return requests


def pressed():
    """Six prompts of 15 tokens with 12 to 37 outputs: together they do not fit into the KV cache."""
    return [
        {
            "prompt": live_runs.prompt(number, 15),
            "params": {"max_tokens": length, "ignore_eos": True, "temperature": number % 2},
        }
        for number, length in enumerate((12, 37, 30, 25, 20, 37))
    ]


@pytest.fixture(scope="module")
def crowded_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crowded")
    plan = {"processors": [RECORDER, "live_targets:Watched"], "builtins": False, "requests": crowded()}
    return live_runs.live(folder, plan, {"LOGITPROOF_SHADOW_DIR": str(folder / "shadow")})


@pytest.fixture(scope="module")
def pressed_run(tmp_path_factory):
    plan = {"processors": [f"class:{RECORDER}"], "engine": live_runs.PRESSED, "requests": pressed()}
    return live_runs.live(tmp_path_factory.mktemp("pressed"), plan)


@pytest.mark.law(
    "A1", "A2", "A3", "B1", "B2", "B3", "B4", "B5", "B7", "B8", "B9", "C1", "C2", "C4", "C5", "E5"
)
def test_more_requests_than_slots_and_aborts(crowded_run):
    tokens = [len(crowded_run.result["tokens"][str(number)]) for number in range(len(LENGTHS))]
    assert [n for n, length in enumerate(LENGTHS) if tokens[n] < length] == [3, 7], (
        "the aborted ones are shorter"
    )
    code, (checked,) = live_runs.trace(*crowded_run.recordings)
    assert (code, checked["violations"], checked["dialects"]) == (0, [], ["elided"])
    seen = checked["seen"]
    assert seen["requests"] == len(LENGTHS)
    assert seen["largest_batch"] == 4
    assert min(seen["operations"][kind] for kind in ("refill", "extend", "move", "remove")) > 0
    assert checked["laws"]["C4"]["checked"] == seen["steps"] > 40


@pytest.mark.law("A2", "B4", "C2", "C4", "C5")
def test_pre_emption_and_chunked_prefill(pressed_run):
    assert [len(pressed_run.result["tokens"][str(n)]) for n in range(6)] == [12, 37, 30, 25, 20, 37]
    code, (checked,) = live_runs.trace(*pressed_run.recordings)
    assert (code, checked["violations"], checked["dialects"]) == (0, [], ["elided"])
    text = pressed_run.recordings[0].read_text()
    came_back = re.findall(r"\[\d+, \d+, \"[^\"]*\", 15, (\d+), (\d+)\]", text)
    assert max(int(outputs) for outputs, _ in came_back) > 0, "nobody was pre-empted"
    assert checked["seen"]["operations"]["resume"] == len(came_back)
    assert '"lengths"' in text, "no prefill came in chunks"


@pytest.mark.law("D4")
def test_a_shadow_finds_the_processor_that_forgets_moves(crowded_run, tmp_path):
    found = [line for line in crowded_run.said.splitlines() if line.startswith("logitproof: shadow: ")]
    assert 1 <= len(found) <= 3, crowded_run.said[-2000:]
    assert any("(D4)" in line or "(D2)" in line for line in found)
    failure = found[0].rpartition("logitproof replay ")[2]
    done = subprocess.run(
        [str(live_runs.COMMAND), "replay", failure],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(live_runs.__file__).parent,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "ForgetsMoves" in done.stdout


@pytest.mark.law("C4")
def test_a_killed_engine_loses_at_most_its_last_line(tmp_path):
    requests = [{"prompt": [5, 6, 7], "params": {"max_tokens": 60, "ignore_eos": True}} for _ in range(40)]
    process = live_runs.start(tmp_path, {"processors": [RECORDER], "requests": requests, "pause": 0.01})
    written = 0
    deadline = time.monotonic() + 300
    while written < 30:
        assert process.poll() is None, (tmp_path / "said.txt").read_text()[-2000:]
        assert time.monotonic() < deadline
        time.sleep(0.005)
        written = sum(path.read_bytes().count(b"\n") for path in tmp_path.glob("trace.*.jsonl"))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (path,) = tmp_path.glob("trace.*.jsonl")
    code, (checked,) = live_runs.trace(path)
    assert (code, checked["violations"]) == (0, [])
    assert checked["seen"]["steps"] >= written - 1, "a line that had been written is gone"
