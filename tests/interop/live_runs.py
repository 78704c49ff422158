"""Starts `live_engine.py` on a plan, and what the tests that do so share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ENGINE = Path(__file__).with_name("live_engine.py")
COMMAND = Path(sys.executable).with_name("logitproof")
PRESSED = {
    "num_gpu_blocks_override": 5,
    "block_size": 32,
    "max_num_batched_tokens": 16,
    "enable_prefix_caching": False,
}
"""A KV cache of five blocks and sixteen tokens per step: requests are pre-empted, and prompts come in chunks."""


@dataclass(frozen=True, slots=True)
class Live:
    """What came of a run: its result, the recordings in the order of the recorders, what was said."""

    result: dict
    recordings: list[Path]
    said: str


def start(folder, plan, environment=None):
    """The engine's process; its recordings are `trace.*.jsonl` in the folder."""
    (folder / "plan.json").write_text(json.dumps(plan))
    variables = {**os.environ, "LOGITPROOF_TRACE": str(folder / "trace.jsonl"), **(environment or {})}
    command = [sys.executable, str(ENGINE), str(folder / "plan.json")]
    with (folder / "said.txt").open("w") as said:
        return subprocess.Popen(command, stdout=said, stderr=said, env=variables, cwd=folder)


def live(folder, plan, environment=None):
    """Run a plan to its end."""
    process = start(folder, plan, environment)
    code = process.wait(timeout=600)
    said = (folder / "said.txt").read_text()
    assert code == 0, said[-3000:]
    recordings = sorted(folder.glob("trace.*.jsonl"), key=lambda path: int(path.name.split(".")[2]))
    return Live(json.loads((folder / "result.json").read_text()), recordings, said)


def trace(*paths):
    """Exit code and JSON of `logitproof trace`."""
    done = subprocess.run(
        [str(COMMAND), "trace", "--json", *map(str, paths)], capture_output=True, text=True, check=False
    )
    assert done.stdout.startswith("{"), done.stderr
    return done.returncode, json.loads(done.stdout)["recordings"]


def prompt(first, length):
    """Token ids, different for every request."""
    return [2 + (first + place) % 60 for place in range(length)]
