"""What a recorder costs per step, what share of a real engine's step that is, and what a shadow costs.

    .venv-vllm/bin/python benchmarks/recorder.py [--json] [--no-engine]

Recorder: a batch of 256 slots that stays full; in every step four things change (removed, added, moved, swapped), and
every output list grows outside the clock, so that caches are as cold as they are in an engine. `update_state` and
`apply` are timed. The threshold is for the median step, each step at its best of the repeats, since other processes
only ever add to it; the plain median is printed beside it.

Shadow: the same batch at several sampling rates, against the bare processor in the same run. The processor is our
min-p; its solo run is real, and its work on the whole batch is left out, so that it does not hide the difference.

Engine: a vLLM (CPU) with a tiny model of random weights; the time spent inside the recorder over the time of the
engine's steps. The smallest engine there is makes the largest share.

Exit code 0: the threshold is met; 5: missed; 2: wrong usage.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import io
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch

from logitproof.impl import PersistentBatch, Request
from logitproof.impl.processors import MinPLogitsProcessor
from logitproof.record import Recorder, Shadow
from logitproof.spec import BatchUpdate, EngineConfig, ModelConfig, SamplingParams, SchedulerConfig

SLOTS, CHANGES = 256, 4
RATES = (0.0, 0.01, 0.1, 1.0)
MIN_P = 0.1
LIVE_ENGINE = Path(__file__).parents[1] / "tests" / "interop" / "live_engine.py"


def history(steps: int) -> list[tuple[BatchUpdate | None, list[Request]]]:
    """The update that fills the batch, then steps of four changes each, with the requests that are live after each."""
    rng = random.Random(0)
    batch = PersistentBatch(max_num_reqs=SLOTS)
    prompt = list(range(16))

    def request(name: str) -> Request:
        return Request(name, SamplingParams(min_p=MIN_P), prompt, [])

    plan = [(batch.step(new=[request(f"first-{slot}") for slot in range(SLOTS)]), list(batch.requests))]
    for number in range(steps):
        leaving = rng.sample([live.request_id for live in batch.requests], 1 if number % 2 else 2)
        new = [request(f"{number}-{ordinal}") for ordinal in range(3 - len(leaving))]
        size = len(batch) - len(leaving) + len(new)
        left, right = rng.sample(range(size), 2)
        swaps = [(left, right), (right, left)] if number % 2 else [(left, right)]
        plan.append((batch.step(finished=leaving, new=new, swaps=swaps), list(batch.requests)))
    return plan


def per_step(
    processor: Any, plan: list[tuple[BatchUpdate | None, list[Request]]], logits: Any
) -> list[float]:
    """Seconds of every step but the first."""
    for _, live in plan:
        for request in live:
            request.output_token_ids.clear()
    times = []
    gc.disable()
    try:
        for update, live in plan:
            rows = logits[: len(live)]
            began = time.perf_counter()
            processor.update_state(update)
            processor.apply(rows)
            times.append(time.perf_counter() - began)
            for request in live:
                request.output_token_ids.append(7)
    finally:
        gc.enable()
    return times[1:]


@contextlib.contextmanager
def quiet(folder: Path) -> Iterator[None]:
    """Recordings go into a folder, and where they go is not said."""
    os.environ["LOGITPROOF_TRACE"] = f"{folder}/"
    with contextlib.redirect_stderr(io.StringIO()):
        yield


def recorder_cost(folder: Path, repeats: int, steps: int) -> dict[str, float]:
    """Microseconds per step with four changes, and with None."""
    plan = history(steps)
    changes = [len(u.removed) + len(u.added) + len(u.moved) for u, _ in plan[1:] if u is not None]
    assert statistics.mean(changes) >= CHANGES - 0.1, "the history must have four changes a step"
    idle = [plan[0], *((None, plan[0][1]) for _ in range(steps))]
    logits = torch.zeros(SLOTS, 1)
    with quiet(folder):
        config = EngineConfig()
        busy = [per_step(Recorder(config), plan, logits) for _ in range(repeats)]
        none = [per_step(Recorder(config), idle, logits) for _ in range(repeats)]
    return {
        "update_us": statistics.median(min(times) for times in zip(*busy, strict=True)) * 1e6,
        "update_median_us": statistics.median(statistics.median(times) for times in busy) * 1e6,
        "none_us": statistics.median(statistics.median(times) for times in none) * 1e6,
    }


class QuickMinP(MinPLogitsProcessor):
    """Leaves a batch alone and treats a single row: its own time does not hide the shadow's.

    The logits are cut by min-p beforehand, so that the solo run agrees.
    """

    def apply(self, logits: torch.Tensor) -> torch.Tensor:
        return super().apply(logits) if len(logits) == 1 else logits


def shadow_cost(folder: Path, repeats: int, steps: int, vocab: int) -> dict[str, float]:
    """Mean microseconds per step that a shadow adds at each rate, beside the bare processor's own."""
    plan = history(steps)
    logits = torch.randn(SLOTS, vocab)
    logits[logits < logits.amax(dim=1, keepdim=True) + math.log(MIN_P)] = -math.inf
    config = EngineConfig(SchedulerConfig(max_num_seqs=SLOTS), ModelConfig(vocab_size=vocab))
    device = torch.device("cpu")
    classes: dict[str, Any] = {"bare": QuickMinP}
    classes.update({f"rate {rate:g}": Shadow.around(QuickMinP, rate) for rate in RATES})
    times: dict[str, list[list[float]]] = {name: [] for name in classes}
    with quiet(folder), torch.inference_mode():
        for _ in range(repeats):
            for name, cls in classes.items():
                times[name].append(per_step(cls(config, device, False), plan, logits))
    means = {
        name: statistics.mean(min(step) for step in zip(*runs, strict=True)) * 1e6
        for name, runs in times.items()
    }
    bare = means.pop("bare")
    return {"bare_us": bare, **{f"{name} adds_us": mean - bare for name, mean in means.items()}}


ENGINE_SHARE = """
import json, sys, time
from logitproof.record import Recorder
class Timed(Recorder):
    spent = 0.0
    steps = 0
    def update_state(self, batch_update):
        began = time.perf_counter()
        super().update_state(batch_update)
        Timed.spent += time.perf_counter() - began
        Timed.steps += 1
    def apply(self, logits):
        began = time.perf_counter()
        try:
            return super().apply(logits)
        finally:
            Timed.spent += time.perf_counter() - began
def seen():
    return {"spent": Timed.spent, "steps": Timed.steps}
"""


def engine_share(folder: Path) -> dict[str, float]:
    """The share of a real engine's time that a recorder takes; four slots, a two-layer model of width 128."""
    (folder / "timed.py").write_text(ENGINE_SHARE)
    requests = [
        {"prompt": [5] * 8, "params": {"max_tokens": 8 + n % 40, "ignore_eos": True}} for n in range(60)
    ]
    plan = {"processors": ["timed:Timed"], "requests": requests, "path": [str(folder)], "probe": "timed"}
    (folder / "plan.json").write_text(json.dumps(plan))
    command = [sys.executable, str(LIVE_ENGINE), str(folder / "plan.json")]
    environment = {**os.environ, "LOGITPROOF_TRACE": f"{folder}/"}
    subprocess.run(command, check=True, env=environment, capture_output=True, timeout=600)
    result = json.loads((folder / "result.json").read_text())
    probe = result["probe"]
    return {
        "steps": probe["steps"],
        "recorder_us": probe["spent"] / probe["steps"] * 1e6,
        "engine_step_us": result["seconds"] / result["engine_steps"] * 1e6,
        "share": probe["spent"] / result["seconds"],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--repeats", type=int, default=7, help="runs of each side (default 7)")
    parser.add_argument("--steps", type=int, default=1000, help="steps per run (default 1000)")
    parser.add_argument(
        "--vocab", type=int, default=32_000, help="width of the shadow's logits (default 32000)"
    )
    parser.add_argument("--most-us", type=float, default=20.0, help="microseconds per recorded step, at most")
    parser.add_argument("--no-engine", action="store_true", help="leave the real engine out")
    asked = parser.parse_args()
    if asked.repeats < 1 or asked.steps < 10:
        parser.error(f"expected --repeats >= 1 and --steps >= 10 but got {asked.repeats} and {asked.steps}")
    torch.set_num_threads(1)
    result: dict[str, Any] = {"slots": SLOTS, "changes": CHANGES, "vocab": asked.vocab}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        result["recorder"] = recorder_cost(folder, asked.repeats, asked.steps)
        result["shadow"] = shadow_cost(folder, 3, max(10, asked.steps // 5), asked.vocab)
        if not asked.no_engine and find_spec("vllm") is not None:
            result["engine"] = engine_share(folder)
    result["met"] = result["recorder"]["update_us"] <= asked.most_us
    print(json.dumps(result) if asked.json else drawn(result, asked.most_us))
    return 0 if result["met"] else 5


def drawn(result: dict[str, Any], most: float) -> str:
    """The result for people."""
    cost, shadow = result["recorder"], dict(result["shadow"])
    lines = [
        f"recorder, {SLOTS} slots, {CHANGES} changes: {cost['update_us']:.1f} us a step at its best of the repeats "
        f"(at most {most:g}), {cost['update_median_us']:.1f} us in the median; None: {cost['none_us']:.1f} us",
        f"shadow, {SLOTS} x {result['vocab']}: bare {shadow.pop('bare_us'):.0f} us a step; "
        + ", ".join(f"{name.removesuffix(' adds_us')} adds {value:.0f} us" for name, value in shadow.items()),
    ]
    engine = result.get("engine")
    if engine is None:
        lines.append("engine: not measured (vLLM is not installed here, or --no-engine)")
    else:
        lines.append(
            f"engine, 4 slots, tiny model: {engine['recorder_us']:.0f} of {engine['engine_step_us']:.0f} us a step, "
            f"{engine['share']:.2%}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
