"""Recordings for the tests of their checks: one of a real engine, and those of our own batch in each dialect."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from logitproof.impl import PersistentBatch, Request
from logitproof.record import Recorder
from logitproof.spec import Dialect, EngineConfig, SamplingParams, SchedulerConfig
from logitproof.trace import check, read

SLOTS = 8
REAL = Path(__file__).parent / "recordings" / "vllm_0_32_preempted.jsonl"
"""vLLM 0.32 on CPU: four slots, a KV cache that forces pre-emption, sixteen tokens per step."""


def play(recorder, dialect, steps=150, seed=3):
    """Random requests come, go, come back and swap; lists grow by one per step, but in a chunk of a prefill."""
    source = random.Random(seed)
    batch = PersistentBatch(dialect=dialect, max_num_reqs=SLOTS)
    waiting, number = [], 0
    for _ in range(steps):
        live = list(batch.requests)
        leaving = [request for request in live if source.random() < 0.15]
        new = []
        for _ in range(min(source.choice((0, 0, 0, 1, 2, 3)), SLOTS - len(live) + len(leaving))):
            if waiting and source.random() < 0.5:
                new.append(waiting.pop(0))
            else:
                params = SamplingParams(min_p=0.1) if number % 2 else SamplingParams()
                new.append(Request(f"q{number}", params, [1, 2, 3] if number % 5 else None, []))
                number += 1
        waiting += [request for request in leaving if source.random() < 0.3]
        size = len(live) - len(leaving) + len(new)
        count = source.choice((0, 0, 1, 2)) if size > 1 else 0
        swaps = [tuple(source.sample(range(size), 2)) for _ in range(count)]
        finished = [request.request_id for request in leaving]
        recorder.update_state(batch.step(finished=finished, new=new, swaps=swaps))
        recorder._applies = 1
        for request in batch.requests:
            if request not in new or source.random() < 0.7:
                request.output_token_ids.append(7)


@pytest.fixture(scope="session")
def recorded(tmp_path_factory):
    """The lines of a recording, header first, by dialect; `vllm` for the real one."""
    folder = tmp_path_factory.mktemp("recorded")
    found = {"vllm": REAL}
    for dialect in Dialect:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("LOGITPROOF_TRACE", str(folder / f"{dialect.value}.jsonl"))
            recorder = Recorder(EngineConfig(SchedulerConfig(max_num_seqs=SLOTS)))
        play(recorder, dialect)
        found[dialect.value] = recorder.path
    return {
        name: [json.loads(text) for text in path.read_text().splitlines()] for name, path in found.items()
    }


@pytest.fixture
def checked(tmp_path):
    """Write lines (objects, or text as it is) to a file and check it."""

    def write_and_check(lines, end="\n"):
        path = tmp_path / "damaged.jsonl"
        path.write_text(
            "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + end
        )
        return check(read(path))

    return write_and_check
