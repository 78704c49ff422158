"""Time per step of the persistent batch's bookkeeping, against vLLM's `InputBatch` in the same run.

    .venv-vllm/bin/python benchmarks/bookkeeping.py [--json]

Both batches play the same history of plain greedy requests: in each step two finish, two arrive, and the backend swaps
one pair of slots. Greedy requests are vLLM's cheapest, and no processor is attached to either side. vLLM's batch does
more than bookkeeping (it copies token ids and builds sampling tensors), so the ratio says what a step costs there, not
that the two do equal work. Repeats are interleaved, because the machine's speed drifts; ratios are of medians.

Exit code 0: both thresholds met; 5: one missed; 2: vLLM is not installed, or wrong usage.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from logitproof.impl import PersistentBatch, Request
from logitproof.spec import SamplingParams

SMALL, LARGE = 256, 4096
PROMPT = list(range(16))


@dataclass(frozen=True, slots=True)
class Step:
    """What happens in one step, in terms that both sides understand."""

    finished: tuple[str, str]
    new: tuple[str, str]
    swap: tuple[int, int]


@dataclass(frozen=True, slots=True)
class History:
    """The requests that fill the batch before the clock starts, and the steps that are timed."""

    first: list[str]
    steps: list[Step]


def history(slots: int, steps: int) -> History:
    """Random steps over a batch that stays full."""
    rng = random.Random(0)
    first = [f"first-{slot}" for slot in range(slots)]
    live = first.copy()
    plan = []
    for number in range(steps):
        left, right = rng.sample(range(slots), 2)
        new = (f"{number}-a", f"{number}-b")
        left_slot, right_slot = rng.sample(range(slots), 2)
        plan.append(Step((live[left], live[right]), new, (left_slot, right_slot)))
        live[left], live[right] = new
    return History(first, plan)


def seconds_per_step(play: Callable[[], None], steps: int) -> float:
    """Collects garbage before and not during the run, which would charge one side for the other's objects."""
    gc.collect()
    gc.disable()
    try:
        start = time.thread_time()
        play()
        return (time.thread_time() - start) / steps
    finally:
        gc.enable()


def ours(slots: int, plan: History) -> tuple[float, list[str]]:
    """Seconds per step of `PersistentBatch`, and the ids in the batch afterwards."""
    params = SamplingParams(temperature=0.0)

    def arrivals(names: Sequence[str]) -> list[Request]:
        return [Request(name, params, PROMPT, []) for name in names]

    batch = PersistentBatch(max_num_reqs=slots)
    first = arrivals(plan.first)
    batch.step(new=first)
    steps = [(step.finished, arrivals(step.new), [step.swap]) for step in plan.steps]

    def play() -> None:
        for finished, new, swaps in steps:
            batch.step(finished=finished, new=new, swaps=swaps)

    seconds = seconds_per_step(play, len(steps))
    # The scheduler owns its requests; were this the last reference, freeing them would be timed, on one side only.
    del first
    return seconds, [request.request_id for request in batch.requests]


def vllms(slots: int, plan: History) -> tuple[float, list[str]]:
    """Seconds per step of vLLM's `InputBatch`, and the ids in the batch afterwards."""
    import torch
    from vllm import SamplingParams as VllmSamplingParams
    from vllm.v1.worker.gpu_input_batch import CachedRequestState, InputBatch

    params = VllmSamplingParams(temperature=0.0)
    batch = InputBatch(
        max_num_reqs=slots,
        max_model_len=1024,
        max_num_batched_tokens=1024,
        device=torch.device("cpu"),
        vocab_size=1024,
        block_sizes=[16],
        max_num_blocks_per_req=[64],
    )

    def arrival(name: str) -> CachedRequestState:
        return CachedRequestState(
            req_id=name,
            prompt_token_ids=PROMPT,
            mm_features=[],
            sampling_params=params,
            generator=None,
            block_ids=([0],),
            num_computed_tokens=0,
            output_token_ids=[],
        )

    for name in plan.first:
        batch.add_request(arrival(name))
    batch.refresh_metadata()
    steps = [(step.finished, [arrival(name) for name in step.new], step.swap) for step in plan.steps]

    def play() -> None:
        for finished, new, (left, right) in steps:
            for name in finished:
                batch.remove_request(name)
            for request in new:
                batch.add_request(request)
            batch.condense()
            batch.swap_states(left, right)
            batch.refresh_metadata()

    return seconds_per_step(play, len(steps)), list(batch.req_ids)


def measure(repeats: int, steps: int) -> dict[str, float]:
    """Medians of interleaved repeats, times in microseconds per step."""
    small, large = history(SMALL, steps), history(LARGE, steps)
    times: dict[str, list[float]] = {"ours_us": [], "vllm_us": [], "ours_large_us": []}
    for _ in range(repeats):
        our_time, our_ids = ours(SMALL, small)
        vllm_time, vllm_ids = vllms(SMALL, small)
        large_time, _ = ours(LARGE, large)
        assert our_ids == vllm_ids, "the two batches must have played the same history"
        for name, seconds in zip(times, (our_time, vllm_time, large_time), strict=True):
            times[name].append(seconds * 1e6)
    result = {name: statistics.median(values) for name, values in times.items()}
    result["ratio"] = result["vllm_us"] / result["ours_us"]
    result["growth"] = result["ours_large_us"] / result["ours_us"]
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--repeats", type=int, default=15, help="interleaved runs of each side (default 15)")
    parser.add_argument("--steps", type=int, default=1000, help="steps per run (default 1000)")
    parser.add_argument("--min-ratio", type=float, default=10.0, help="vLLM's time over ours, at least")
    parser.add_argument(
        "--max-growth", type=float, default=1.5, help=f"our time at {LARGE} over {SMALL}, at most"
    )
    asked = parser.parse_args()
    if asked.repeats < 1 or asked.steps < 1:
        parser.error(f"expected positive --repeats and --steps but got {asked.repeats} and {asked.steps}")
    if find_spec("vllm") is None:
        print("vLLM is not installed here; run this with .venv-vllm/bin/python", file=sys.stderr)
        return 2
    result = measure(asked.repeats, asked.steps)
    met = result["ratio"] >= asked.min_ratio and result["growth"] <= asked.max_growth
    if asked.json:
        print(json.dumps({**result, "slots": SMALL, "large_slots": LARGE, "met": met}))
    else:
        print(f"{SMALL} slots: vLLM {result['vllm_us']:.1f} us, ours {result['ours_us']:.2f} us a step")
        print(f"ratio {result['ratio']:.1f} (at least {asked.min_ratio:g})")
        print(f"{LARGE} / {SMALL} slots: {result['growth']:.2f} (at most {asked.max_growth:g})")
    return 0 if met else 5


if __name__ == "__main__":
    sys.exit(main())
