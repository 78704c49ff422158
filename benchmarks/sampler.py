"""Our processors and whole sampler against vLLM's CPU build and the physical floor, in one run.

    .venv-vllm/bin/python benchmarks/sampler.py [--json] [--quick] [--write-readme]

The floor is one in-place `add_` over the logits. Repeats of the three sides are interleaved, because the machine's
speed drifts; one torch thread; thread CPU time; ratios are of medians. Every result is compared before anything is
timed: the constraint stages bit for bit, cuts by the tokens that they keep, except where a token lies within rounding
of a cut. Before every repeat each request gets one more output token. `update_logit_bias` replaces one request.

Every play finds its logits and its code out of the caches, as a forward pass leaves them; where a second play is the
same work, plays that follow each other at once are timed as well, and told as warm.

Exit code 0: every equality holds and both thresholds are met; 5: one is missed; 2: vLLM is missing, or wrong usage.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from importlib.util import find_spec
from itertools import product

import torch
from _sampler_cases import OPERATIONS, PROFILES, Case, our_requests
from _sampler_table import SHAPES, Row, write

QUICK_SHAPES = ((8, 131_072),)
JUDGED = (64, 131_072, "quarter", "step")
"""The mixed step whose thresholds count."""
MOST_FLOORS, LEAST_RATIO = 20.0, 20.0


WARM_PLAYS = 20
"""What touches no logits is played so often in a row: it lasts microseconds, and cold caches would hide it."""
SAME_AGAIN = (
    "penalties",
    "allowed_token_ids",
    "bad_words",
    "min_tokens",
    "logit_bias",
    "temperature",
    "min_p",
)
"""Operations that do the same work when they meet their own result."""
AT_ONCE = 0.002
"""Seconds that plays at once last together, of either side: at least three of them, at most 200."""


def seconds(play: Callable[[], object], restore: Callable[[], object], plays: int = 1) -> float:
    """One run's CPU time of this thread, on restored logits."""
    restore()
    start = time.thread_time()
    for _ in range(plays):
        play()
    return (time.thread_time() - start) / plays


def measure(case: Case, repeats: int) -> Row:
    """Equality first, then medians of interleaved repeats."""
    from _sampler_vllm import Vllm

    requests = our_requests(case)
    base = case.logits()
    ours, theirs = case.ours(requests), Vllm(case, requests)
    equal = case.equal(ours, theirs, base)
    work = base.clone()
    times: dict[str, list[float]] = {"floor": [], "ours": [], "vllm": []}
    sides = {
        "floor": lambda: work.add_(0.0),
        "ours": lambda: ours.play(work),
        "vllm": lambda: theirs.play(work),
    }

    def restore() -> None:
        if case.touches_logits:
            work.copy_(base)

    def next_step() -> None:
        restore()
        for row, request in enumerate(requests):
            request.output_token_ids.append(row)

    for side in sides.values():
        seconds(side, restore)
    gc.collect()
    gc.disable()
    try:
        for _, (name, side) in product(range(repeats), sides.items()):
            plays = 1 if case.touches_logits or name == "floor" else WARM_PLAYS
            times[name].append(seconds(side, next_step if name == "floor" else restore, plays))
    finally:
        gc.enable()
    floor, our_time, their_time = (statistics.median(times[name]) for name in sides)
    warm = at_once(sides, restore, repeats) if case.operation in SAME_AGAIN else (None, None)
    return Row(
        case.batch,
        case.vocabulary,
        case.profile,
        case.operation,
        equal,
        their_time / our_time,
        our_time / floor,
        *warm,
    )


def at_once(
    sides: dict[str, Callable[[], object]], restore: Callable[[], object], repeats: int
) -> tuple[float, float]:
    """vLLM over ours and ours over the floor, of plays that follow each other at once, the first ones not counted."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for _, (name, side) in product(range(repeats), sides.items()):
        seconds(side, restore)
        once = seconds(side, lambda: None, 3)
        times[name].append(seconds(side, lambda: None, min(200, max(3, int(AT_ONCE / once)))))
    floor, our_time, their_time = (statistics.median(times[name]) for name in sides)
    return their_time / our_time, our_time / floor


def judge(rows: list[Row]) -> bool:
    """Whether all results were equal and the mixed step, if it was run, met its thresholds."""
    judged = [row for row in rows if (row.batch, row.vocabulary, row.profile, row.operation) == JUDGED]
    fast = all(row.ours_in_floors <= MOST_FLOORS and row.vllm_over_ours >= LEAST_RATIO for row in judged)
    return fast and all(row.equal for row in rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument(
        "--quick", action="store_true", help=f"only {QUICK_SHAPES} with a quarter of the rows"
    )
    parser.add_argument("--repeats", type=int, default=5, help="interleaved runs of each side (default 5)")
    parser.add_argument("--operation", choices=OPERATIONS, action="append", help="only this one, repeatable")
    parser.add_argument("--batch", type=int, action="append", help="only this batch size, repeatable")
    parser.add_argument(
        "--write-readme", action="store_true", help="put the table into the README; needs a complete run"
    )
    asked = parser.parse_args()
    if asked.write_readme and (asked.quick or asked.operation or asked.batch):
        parser.error("--write-readme needs every row; leave out --quick, --operation and --batch")
    if asked.repeats < 1:
        parser.error(f"expected positive --repeats but got {asked.repeats}")
    if find_spec("vllm") is None:
        print("vLLM is not installed here; run this with .venv-vllm/bin/python", file=sys.stderr)
        return 2
    torch.set_num_threads(1)
    shapes = [s for s in (QUICK_SHAPES if asked.quick else SHAPES) if not asked.batch or s[0] in asked.batch]
    profiles = ["quarter"] if asked.quick else list(PROFILES)
    rows = []
    for (batch, vocabulary), profile, operation in product(shapes, profiles, asked.operation or OPERATIONS):
        rows.append(measure(Case(batch, vocabulary, profile, operation), asked.repeats))
        if not asked.json:
            print(line(rows[-1]), flush=True)
    if asked.json:
        print(json.dumps({"rows": [asdict(row) for row in rows]}))
    if asked.write_readme:
        write(rows)
    return 0 if judge(rows) else 5


def line(row: Row) -> str:
    """One row for people."""
    return (
        f"{row.batch:>4} x {row.vocabulary:<7} {row.profile:<12} {row.operation:<16} "
        f"{'equal' if row.equal else 'DIFFERENT':<9} {row.vllm_over_ours:8.1f} x faster  "
        f"{row.ours_in_floors:8.2f} floors"
        + (f"   warm {row.warm_vllm_over_ours:8.1f} x" if row.warm_vllm_over_ours is not None else "")
    )


if __name__ == "__main__":
    sys.exit(main())
