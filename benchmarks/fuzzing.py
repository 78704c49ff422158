"""How many steps a second the campaign plays, against a hypothesis state machine with the same oracles, in one run.

    .venv/bin/python benchmarks/fuzzing.py [--json] [--rounds N] [TARGET ...]

Both sides draw with hypothesis, play the same driver on the same processor, and ask the same oracles as often: a
rebuild in every fourth step, a second copy in one history of four. The campaign draws a history at once and judges it
at its end; the state machine draws and judges one step after another. Rounds are interleaved, and ratios are taken
within a round, since other work on the machine slows both sides alike.

Exit code 0: measured; 1: a target failed on the way; 2: wrong usage.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import torch
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from logitproof.lockstep import Budget, Report, Verdict, fuzz, lockstep_machine
from logitproof.targets import Target, TargetError, load_target

TARGETS = (
    "logitproof.impl.processors.min_p:MinPLogitsProcessor",
    "logitproof.impl.processors.logit_bias:LogitBiasLogitsProcessor",
    "logitproof.impl.processors.min_tokens:MinTokensLogitsProcessor",
)
HISTORIES = 24
"""Per dialect and round on the campaign's side, and per round on the other: about a second each."""
LONGEST = 64
"""Steps of a history of the state machine, as in the campaign."""


@dataclass(frozen=True, slots=True)
class Result:
    """Medians over the rounds. ratio: campaign to state machine, within a round."""

    target: str
    steps_per_second: float
    machine_steps_per_second: float
    ratio: float
    least_ratio: float
    mean_length: float
    machine_mean_length: float


def main(arguments: Sequence[str]) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("targets", nargs="*", default=TARGETS, metavar="TARGET")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)
    gc.collect()
    gc.freeze()  # as the command does, for both sides
    results = []
    for name in options.targets:
        try:
            results.append(measure(load_target(name), options.rounds))
        except TargetError as error:
            print(f"benchmarks/fuzzing.py: {error}", file=sys.stderr)
            return 2
        except Failed as failed:
            print(f"benchmarks/fuzzing.py: {failed}", file=sys.stderr)
            return 1
        if not options.json:
            _show(results[-1])
    if options.json:
        print(json.dumps({"targets": [asdict(result) for result in results]}))
    return 0


class Failed(Exception):
    """A target that fails has no steps per second to speak of."""


def measure(target: Target, rounds: int) -> Result:
    """Both sides in turns; the first round warms caches up and is not counted."""
    ours, theirs = [], []
    for number in range(rounds + 1):
        ours.append(campaign(target, number))
        theirs.append(state_machine(target, number))
    ours, theirs = ours[1:], theirs[1:]
    speeds = [[steps / seconds for steps, _, seconds in side] for side in (ours, theirs)]
    ratios = [one / other for one, other in zip(*speeds, strict=True)]
    lengths = [
        sum(steps for steps, _, _ in side) / sum(count for _, count, _ in side) for side in (ours, theirs)
    ]
    return Result(
        target.name,
        statistics.median(speeds[0]),
        statistics.median(speeds[1]),
        statistics.median(ratios),
        min(ratios),
        *lengths,
    )


def campaign(target: Target, number: int) -> tuple[int, int, float]:
    """Steps, histories and seconds of a campaign, generation included."""
    report = Report(target)
    fuzz(target, number, budget=Budget(HISTORIES, shrink=False), report=report)
    if report.verdict is Verdict.FAILED:
        raise Failed(f"{target.name} fails: {report.caught[0].findings[0].summary}")
    return report.steps, report.histories, report.seconds


def state_machine(target: Target, number: int) -> tuple[int, int, float]:
    """Steps, runs and seconds of the state machine, generation included."""
    machine = lockstep_machine(target, thorough=False)
    quick = settings(
        max_examples=HISTORIES,
        stateful_step_count=LONGEST,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    began = time.perf_counter()
    try:
        run_state_machine_as_test(seed(number)(machine), settings=quick)
    except AssertionError as error:
        raise Failed(f"{target.name} fails in the state machine: {error}") from error
    return machine.played, HISTORIES, time.perf_counter() - began  # type: ignore[attr-defined]


def _show(result: Result) -> None:
    print(result.target)
    print(
        f"  campaign {result.steps_per_second:6.0f} steps/s    state machine "
        f"{result.machine_steps_per_second:6.0f} steps/s    ratio {result.ratio:.1f} (least {result.least_ratio:.1f})"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
