"""How fast the fuzzer finds the museum's faults, against a plain random walk with the same oracles, in one run.

    .venv/bin/python benchmarks/museum.py [--json] [--write-docs] [NAME ...]

Per exhibit: whether it was found with every seed, by which oracle, the median number of steps until then, and the
size of the shrunk history. The walk plays the same processors, oracles and dialects on histories without any bias:
every kind of step is as likely as the next, and slots, tokens and requests are uniform. Where it found nothing, its
steps are none; so are those of exhibits that are found by a warning, or by what is tried after a clean campaign.

Exit code 0: every exhibit that should be found was found; 1: one was not; 2: wrong usage.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import islice, repeat
from pathlib import Path
from typing import Any

import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st

from logitproof.lockstep import DEFAULT_DIALECTS, DEFAULT_EXAMPLES, Arrival, Budget, History, Step, fuzz, run
from logitproof.lockstep.hazards import Hazard, parse_hazards
from logitproof.lockstep.history import request_names
from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import VOCAB_SIZE, Target, locate

ROOT = Path(__file__).resolve().parents[1]
CATALOGUE = ROOT / "tests" / "museum" / "catalogue" / "exhibits.py"
DOCS = ROOT / "docs" / "museum.md"

WALK_LENGTH = 33
"""Steps of a walk: the mean length of the fuzzer's histories."""
WALK_STEPS = 4000
"""Steps after which a walk gives up."""
SLOTS = 8
QUICK = 12
"""Histories per dialect of campaigns whose finding comes at their end."""


@dataclass(frozen=True, slots=True)
class Result:
    """One exhibit's line. oracle: the one that spoke first most often; None where nothing was found."""

    name: str
    fault: str
    found: bool
    oracle: str | None
    median_steps: float | None
    shrunk_steps: int | None
    random_walk_steps: float | None


def measure(exhibit: Any, seeds: int, walk_seeds: int) -> Result:
    """Fuzz one exhibit with every seed, and walk. What cannot be found yet is tried with one seed.

    What shows as a warning has no step at which the run stops, and no history to shrink.
    """
    torch.set_num_threads(1)
    target = locate(f"{CATALOGUE}:load")(exhibit)
    # What is tried after a clean campaign does not depend on how long that was.
    is_late = bool(exhibit.warns) or exhibit.is_afterwards
    quick = Budget(QUICK if is_late else DEFAULT_EXAMPLES, shrink=False)
    hazards = parse_hazards(exhibit.hazards)
    reports = [
        fuzz(target, seed, budget=quick, dtype=exhibit.dtype, hazards=hazards) for seed in range(seeds)
    ]
    caught = [report.caught[0] for report in reports if report.caught]
    spoke = Counter(each.findings[0].oracle for each in caught if each.findings)
    walked = [] if is_late else [walk(target, exhibit.dtype, seed, hazards) for seed in range(walk_seeds)]
    warned = bool(exhibit.warns) and all(exhibit.warns in report.warnings for report in reports)
    return Result(
        exhibit.name,
        exhibit.fault,
        warned or len(caught) == len(reports),
        spoke.most_common(1)[0][0] if spoke else exhibit.warns if warned else None,
        statistics.median(each.found_after for each in caught) if caught else None,
        _shrunk(target, exhibit) if caught else None,
        _median_or_none(walked),
    )


def _shrunk(target: Target, exhibit: Any) -> int:
    """Steps left of the first seed's history in a run with default settings."""
    budget = Budget(QUICK if exhibit.is_afterwards else DEFAULT_EXAMPLES)
    hazards = parse_hazards(exhibit.hazards)
    return len(fuzz(target, 0, budget=budget, dtype=exhibit.dtype, hazards=hazards).caught[0].history.steps)


def _median_or_none(counts: Sequence[int | None]) -> float | None:
    """The median, where None is beyond every number."""
    ordered = sorted(WALK_STEPS if count is None else count for count in counts)
    median = statistics.median(ordered) if ordered else WALK_STEPS
    return None if median >= WALK_STEPS else median


def walk(target: Target, dtype: str, seed: int, hazards: frozenset[Hazard]) -> int | None:
    """Steps that a plain random walk takes until an oracle speaks, or None."""
    source = random.Random(seed)
    pool = _params(target, seed)
    steps = 0
    for dialect in _in_turn(DEFAULT_DIALECTS):
        result = run(_history(source, pool, dialect, dtype, hazards), target)
        steps += result.steps
        if result.faults:
            return steps
        if steps >= WALK_STEPS:
            return None
    return None


def _in_turn(dialects: Sequence[Dialect]) -> Iterator[Dialect]:
    while True:
        yield from dialects


def _params(target: Target, seed: int, count: int = 20) -> tuple[SamplingParams, ...]:
    """A plain request's params, and some that use the target, as its strategy draws them.

    The last of a few draws: the first that hypothesis makes is always the plainest.
    """
    drawn: list[SamplingParams] = []
    assert target.params_for is not None

    @with_seed(seed)
    @settings(
        max_examples=5,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(st.lists(target.params_for(VOCAB_SIZE), min_size=count, max_size=count))
    def draw(params: list[SamplingParams]) -> None:
        drawn[:] = params

    draw()
    return (SamplingParams(), *drawn)


def _history(
    source: random.Random,
    pool: tuple[SamplingParams, ...],
    dialect: Dialect,
    dtype: str,
    hazards: frozenset[Hazard],
) -> History:
    names = request_names()
    live: list[str] = []
    steps = []
    for _ in range(WALK_LENGTH):
        kind = source.choice(("idle", "add", "finish", "swap"))
        arrivals: tuple[Arrival, ...] = ()
        finished: tuple[str, ...] = ()
        swaps: tuple[tuple[int, int], ...] = ()
        if kind == "add" and len(live) < SLOTS:
            arrivals = (_arrival(source, next(names), len(pool)),)
            live.append(arrivals[0].name)
        elif kind == "finish" and live:
            finished = (source.choice(live),)
            live.remove(finished[0])
        elif kind == "swap" and len(live) > 1:
            left, right = source.sample(range(len(live)), 2)
            swaps = ((left, right),)
        accepted = tuple(name for name in live if Hazard.SEVERAL in hazards and source.random() < 0.5)
        steps.append(Step(finished=finished, new=arrivals, swaps=swaps, accepted=accepted))
    prompts = tuple(tuple(source.choices(range(VOCAB_SIZE), k=source.randrange(6))) for _ in range(4))
    return History(
        tuple(steps),
        pool,
        prompts,
        dialect,
        SLOTS,
        VOCAB_SIZE,
        dtype,
        source.randrange(4),
        lag=int(Hazard.ASYNC in hazards),
        padding=int(Hazard.PADDED in hazards),
    )


def _arrival(source: random.Random, name: str, pool: int) -> Arrival:
    """Plain or not with equal odds."""
    return Arrival(
        name=name,
        params=source.choice((0, source.randrange(1, pool))),
        prompt=source.randrange(4),
        row=source.randrange(64),
        script=tuple(source.choices(range(VOCAB_SIZE), k=8)),
    )


def table(results: Sequence[Result], exhibits: Sequence[Any]) -> str:
    """The museum as a Markdown page."""
    found = sum(result.found for result in results)
    lines = [
        "# The museum",
        "",
        "Generated by `benchmarks/museum.py --write-docs`; do not edit.",
        "",
        "Faults that really happened in batch-level logits processors, samplers and persistent batches, each as the",
        "smallest processor (or engine) that has it. The fuzzer finds them by its general oracles; no check is written",
        f"for an exhibit. {found} of {len(results)} are found, some only with a hazard that is off by default. N1 and",
        "further happened to nobody: they are variations on the kinds.",
        "",
        "Steps: played until the fault was met, median over seeds. Shrunk: steps left of the history that is shown.",
        "Walk: the same median for a random walk with the same oracles and no bias; `-` where it found nothing.",
        "",
        "| exhibit | fault | kind | what is wrong | found by | steps | shrunk | walk |",
        "|---|---|---|---|---|--:|--:|--:|",
    ]
    for result, exhibit in zip(results, exhibits, strict=True):
        by = result.oracle or "not found"
        by += f" with `{exhibit.hazards}`" if exhibit.hazards != "default" else ""
        numbers = (result.median_steps, result.shrunk_steps, result.random_walk_steps)
        cells = " | ".join("-" if number is None else f"{number:g}" for number in numbers)
        lines.append(
            f"| `{result.name}` | {result.fault} | {exhibit.kind} | {exhibit.sentence} | {by} | {cells} |"
        )
    lines.append("")
    lines += ["## Faults without an exhibit", "", "| fault | why |", "|---|---|"]
    lines += [f"| {fault} | {why} |" for fault, why in locate(f"{CATALOGUE}:NOT_SHOWN").items()]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="exhibits or fault ids (default: all)")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--write-docs", action="store_true", help=f"write {DOCS.relative_to(ROOT)}")
    parser.add_argument("--seeds", type=int, default=10, help="seeds of the fuzzer (default 10)")
    parser.add_argument("--walk-seeds", type=int, default=10, help="seeds of the walk (default 10)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1)")
    asked = parser.parse_args()
    if min(asked.seeds, asked.walk_seeds, asked.workers) < 1:
        parser.error("expected positive --seeds, --walk-seeds and --workers")
    exhibits = locate(f"{CATALOGUE}:EXHIBITS")
    if unknown := {*asked.names} - {name for each in exhibits for name in (each.name, each.fault)}:
        parser.error(f"no exhibit is called {', '.join(sorted(unknown))}; see docs/museum.md")
    if asked.write_docs and asked.names:
        parser.error("--write-docs needs all exhibits: leave the names out")
    chosen = [each for each in exhibits if not asked.names or {each.name, each.fault} & {*asked.names}]
    work = partial(measure, seeds=asked.seeds, walk_seeds=asked.walk_seeds)
    results = []
    with ProcessPoolExecutor(asked.workers) as pool:
        numbers = [position for position, each in enumerate(exhibits) if each in chosen]
        for result in pool.map(_measure_at, numbers, repeat(work)):
            results.append(result)
            if not asked.json:
                print(_line(result), flush=True)
    if asked.json:
        print(json.dumps({"exhibits": [_as_json(result) for result in results]}, indent=1))
    if asked.write_docs:
        DOCS.parent.mkdir(exist_ok=True)
        DOCS.write_text(table(results, chosen), encoding="utf-8")
    return 0 if all(result.found for result in results) else 1


def _measure_at(position: int, work: Any) -> Result:
    """An exhibit travels to a worker by its position, since its class is known there under a file's name only."""
    result: Result = work(next(islice(locate(f"{CATALOGUE}:EXHIBITS"), position, None)))
    return result


def _as_json(result: Result) -> dict[str, Any]:
    return {name: getattr(result, name) for name in Result.__slots__}


def _line(result: Result) -> str:
    if not result.found:
        return f"{result.fault:5} {result.name:46} not found"
    if result.median_steps is None:
        return f"{result.fault:5} {result.name:46} {result.oracle:10} warned of"
    walked = "-" if result.random_walk_steps is None else f"{result.random_walk_steps:g}"
    return (
        f"{result.fault:5} {result.name:46} {result.oracle or '?':10} "
        f"{result.median_steps:g} steps, {result.shrunk_steps} shrunk, walk {walked}"
    )


if __name__ == "__main__":
    sys.exit(main())
