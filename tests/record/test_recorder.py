"""The recorder: what a line says, and what it must never do to the engine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
import torch

from logitproof.record import Recorder
from logitproof.spec import BatchUpdate, EngineConfig, MoveDirectionality, SamplingParams
from logitproof.trace import check, read

SWAP = MoveDirectionality.SWAP


@pytest.fixture
def recorder(tmp_path, monkeypatch):
    monkeypatch.setenv("LOGITPROOF_TRACE", str(tmp_path / "trace.jsonl"))
    return Recorder(EngineConfig(), torch.device("cpu"), False)


def lines(recorder):
    return [json.loads(line) for line in recorder.path.read_text().splitlines()]


@pytest.mark.law("C4", "C5")
def test_a_line_says_what_was_told(recorder):
    outputs = [9, 9]
    added = [(0, SamplingParams(), [1, 2], []), (1, SamplingParams(min_p=0.5, temperature=0), None, outputs)]
    recorder.update_state(BatchUpdate(2, [], added, [(0, 1, SWAP)]))
    recorder.apply(torch.zeros(2, 4))
    recorder.update_state(None)
    recorder.update_state(BatchUpdate(1, [1], [], []))
    header, first, second, third = lines(recorder)
    assert (header["format"], header["version"], header["tokens"]) == ("logitproof.recording", 1, False)
    assert first["update"] == {
        "batch_size": 2,
        "removed": [],
        "added": [[0, 0, "plain", 2, 0, None], [1, 1, "greedy+min_p", None, 2, None]],
        "moved": [[0, 1, "SWAP"]],
    }
    assert (first["step"], first["requests"], first["place"]) == (1, 2, 1 * 2 + 2 * 1)
    assert (second["update"], second["lengths"]) == (None, [[0, 2, 0], [1, 0, 0]])
    assert (third["applies"], third["place"]) == (0, 2)


@pytest.mark.law("C5")
def test_placeholders_and_growth_are_seen(recorder):
    outputs = []
    recorder.update_state(BatchUpdate(1, [], [(0, SamplingParams(), [1], outputs)], []))
    outputs.append(-1)
    recorder.update_state(None)
    outputs[-1] = 5
    outputs.append(6)
    recorder.update_state(None)
    outputs.append(7)
    recorder.update_state(None)
    assert [line.get("lengths") for line in lines(recorder)[2:]] == [[[0, 1, 1]], [[0, 2, 0]], None]


@pytest.mark.law("A2", "C5")
def test_a_request_that_comes_back_is_known_again(recorder):
    params, prompt, outputs = SamplingParams(), [1], [4]
    recorder.update_state(BatchUpdate(1, [], [(0, params, prompt, outputs)], []))
    recorder.update_state(BatchUpdate(0, [0], [], []))
    recorder.update_state(BatchUpdate(1, [], [(0, params, prompt, outputs)], []))
    recorder.update_state(BatchUpdate(1, [0], [(0, params, prompt, [4, 5])], []))
    assert [line["update"]["added"][0][5] for line in (lines(recorder)[3], lines(recorder)[4])] == [0, None]
    recorder.update_state(BatchUpdate(0, [0], [], []))
    recorder.update_state(BatchUpdate(1, [], [(0, params, prompt, [4, 5, 6])], []))
    assert lines(recorder)[-1]["update"]["added"][0][5] is None, "two requests fit: neither is meant"


@pytest.mark.parametrize("asked", [True, False])
def test_token_ids_are_written_only_if_asked(tmp_path, monkeypatch, asked):
    monkeypatch.setenv("LOGITPROOF_TRACE", str(tmp_path / "t.jsonl"))
    if asked:
        monkeypatch.setenv("LOGITPROOF_TRACE_TOKENS", "1")
    recorder = Recorder(EngineConfig())
    outputs = [77001]
    recorder.update_state(BatchUpdate(1, [], [(0, SamplingParams(), [77002], outputs)], []))
    outputs.append(77003)
    recorder.update_state(BatchUpdate(0, [0], [], []))
    assert [str(token) in recorder.path.read_text() for token in (77001, 77002, 77003)] == [asked] * 3
    if asked:
        first, second = read(recorder.path).lines
        assert first.tokens == {0: ((77002,), (77001,))}
        assert second.left == {0: (77001, 77003)}


@pytest.mark.law("D3", "D5")
def test_nothing_changes(recorder):
    logits = torch.randn(3, 5)
    before = logits.clone()
    assert recorder.apply(logits) is logits
    assert torch.equal(logits, before)
    assert recorder.is_argmax_invariant() is False


BROKEN = [
    SimpleNamespace(batch_size=1, removed=[], added=[("not", "a", "request")], moved=[]),
    SimpleNamespace(batch_size=1),
    BatchUpdate(10**9, [10**9, -5], [(10**12, SamplingParams(), [1], [])], [(99, -3, SWAP), (3, 4, "up")]),
    BatchUpdate(-1, [0], [(0, None, None, None)], []),
    "an update",
]


@pytest.mark.parametrize("update", BROKEN, ids=range(len(BROKEN)))
def test_nothing_is_raised_into_the_engine(recorder, update):
    recorder.update_state(BatchUpdate(1, [], [(0, SamplingParams(), [1], [])], []))
    recorder.update_state(update)
    recorder.update_state(None)
    recorder.apply("no tensor")
    assert len(lines(recorder)) == 4
    assert len(recorder._batch.slots) < 1000, "memory follows what an engine says"
    assert check(read(recorder.path)).violations


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path, monkeypatch, capfd):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LOGITPROOF_TRACE", str(tmp_path / "file" / "trace.jsonl"))
    recorder = Recorder(EngineConfig())
    recorder.update_state(None)
    recorder.update_state(None)
    assert recorder.path is None
    assert capfd.readouterr().err.count("\n") == 1


def test_memory_does_not_grow(recorder):
    remembered = len(recorder._batch._by_outputs)
    for number in range(3000):
        recorder.update_state(BatchUpdate(1, [0][: number > 0], [(0, SamplingParams(), [1], [])], []))
    assert len(recorder._batch._by_outputs) - remembered <= 258
    assert len(recorder._batch._departed) <= 257


RUN = """
import sys
from logitproof.record import Recorder
from logitproof.spec import BatchUpdate, EngineConfig, SamplingParams
recorder = Recorder(EngineConfig())
recorder.update_state(BatchUpdate(1, [], [(0, SamplingParams(), [1], [])], []))
while True:
    recorder.update_state(BatchUpdate(1, [0], [(0, SamplingParams(min_p=0.1), [1], [])], []))
"""


@pytest.mark.law("C4")
def test_kill_loses_at_most_the_last_line(tmp_path):
    environment = {**os.environ, "LOGITPROOF_TRACE": str(tmp_path / "trace.jsonl")}
    process = subprocess.Popen([sys.executable, "-c", RUN], env=environment, stderr=subprocess.DEVNULL)
    written = 0
    deadline = time.monotonic() + 60
    while written < 1000 and time.monotonic() < deadline:
        written = sum(path.read_bytes().count(b"\n") for path in tmp_path.glob("*.jsonl"))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (path,) = tmp_path.glob("*.jsonl")
    result = check(read(path))
    assert result.violations == []
    assert result.seen.steps >= written - 1 >= 999


FORKED = """
import os
from logitproof.record import Recorder
from logitproof.spec import BatchUpdate, EngineConfig, SamplingParams
recorder = Recorder(EngineConfig())
outputs = [[], []]
recorder.update_state(BatchUpdate(2, [], [(i, SamplingParams(), [1], outputs[i]) for i in range(2)], []))
child = os.fork()
for _ in range(200):
    for tokens in outputs:
        tokens.append(3)
    recorder.update_state(None)
recorder.update_state(BatchUpdate(1, [0], [], [(1, 0, type("How", (), {"name": "UNIDIRECTIONAL"}))]))
if child:
    os.waitpid(child, 0)
"""


@pytest.mark.law("C4")
def test_processes_never_mix_their_lines(tmp_path):
    environment = {**os.environ, "LOGITPROOF_TRACE": str(tmp_path / "trace.jsonl")}
    subprocess.run([sys.executable, "-c", FORKED], env=environment, check=True, timeout=60)
    recordings = [read(path) for path in sorted(tmp_path.glob("*.jsonl"))]
    assert len({recording.by for recording in recordings}) == 2
    assert sorted(len(recording.batch) for recording in recordings) == [0, 2]
    for recording in recordings:
        assert recording.foreign == ()
        assert check(recording).violations == []
        assert len(recording.lines) in (201, 202)


def test_importing_is_cheap():
    """No command line, no generator, no prover, no tensor: a live engine imports this."""
    heavy = ("click", "hypothesis", "z3", "torch", "rich", "vllm")
    code = f"import sys, logitproof.record; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
