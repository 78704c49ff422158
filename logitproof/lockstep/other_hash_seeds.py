"""A few requests, each alone, in two processes with another hash seed each, as ranks have them."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import torch

from logitproof.spec import Dialect, SamplingParams
from logitproof.targets import Target
from logitproof.targets.source import Source, source_of

from .alone import PROMPT, drawn_params
from .bank import bank, row_number
from .driver import Lockstep
from .failures import Unwritable, load, reload, save
from .finding import Finding
from .history import Arrival, History, Step
from .oracles.hash_seed import HashSeed
from .plain import PLAIN
from .transitions import Transitions
from .watchdog import TICK, no_beat

SEEDS = ("1", "2")
MOST_DRAWN = 6
STEPS = 4
PATIENCE = 30.0
"""Seconds for a process to start and to play: a released vLLM takes half of them to be imported."""
SETS = ("set", "frozenset")


class NotCompared(Exception):
    """No other process could play it. Its text is one line."""


def other_hash_seeds(
    target: Target, dtype: str, beat: Callable[[], None] = no_beat
) -> tuple[History, Finding] | None:
    """The first request that is treated otherwise, alone, in as few steps as show it; None if none is.

    Nothing is played for a target in whose source nothing depends on hashes. beat: called while others are waited for.
    Raises NotCompared.
    """
    pool = drawn_params(target, target.vocab, MOST_DRAWN)
    if not depends_on_hashes(source_of(getattr(target.make, "target", target.make)), pool):
        return None
    histories = [_alone(target, params, dtype) for params in pool]
    for history, finding in zip(histories, compared(target, histories, beat), strict=True):
        if finding is not None:
            return replace(history, steps=history.steps[: finding.step]), finding
    return None


def compared(
    target: Target, histories: Sequence[History], beat: Callable[[], None] = no_beat
) -> list[Finding | None]:
    """What differs in each history between two processes. Raises NotCompared."""
    one, other = _played(target, histories, beat)
    return [_difference(history, *rows) for history, *rows in zip(histories, one, other, strict=True)]


def depends_on_hashes(source: Source, pool: Sequence[SamplingParams]) -> bool:
    """Whether the source calls `hash`, or makes sets where there is text to put into them."""
    nodes = list(source.walk())
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    if "hash" in names:
        return True
    shown = [node for node in nodes if isinstance(node, ast.Set)]
    if not (shown or names & {*SETS} or any(isinstance(node, ast.SetComp) for node in nodes)):
        return False
    return any(_texts(params.extra_args) for params in pool) or any(
        isinstance(each, ast.Constant) and isinstance(each.value, str)
        for node in (*shown, *(node for node in nodes if _makes_a_set(node)))
        for each in ast.walk(node)
    )


def _makes_a_set(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SETS


def _texts(value: Any) -> bool:
    """Whether there is text among the values; keys are names."""
    if isinstance(value, dict):
        return any(_texts(each) for each in value.values())
    return isinstance(value, str) or (isinstance(value, list | tuple) and any(map(_texts, value)))


def _alone(target: Target, params: SamplingParams, dtype: str) -> History:
    steps = (Step(new=(Arrival("A", params=1, script=(0, 1, 2)),)), *[Step()] * (STEPS - 1))
    return History(
        steps, (PLAIN, params), (PROMPT,), Dialect.ELIDED, slots=1, vocab=target.vocab, dtype=dtype
    )


def _played(
    target: Target, histories: Sequence[History], beat: Callable[[], None]
) -> Iterator[list[torch.Tensor]]:
    """By process, the rows of every history."""
    nothing = Finding(HashSeed.code, "D4", "", 1)
    with TemporaryDirectory() as folder:
        try:
            files = [str(save(Path(folder), target, nothing, history, None)) for history in histories]
        except Unwritable as error:
            raise NotCompared(str(error)) from error
        command = [sys.executable, "-c", f"from {__name__} import in_another_process as play; play()"]
        path = os.pathsep.join(filter(None, sys.path))
        running = [
            subprocess.Popen(
                [*command, *files],
                env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            for seed in SEEDS
        ]
        try:
            told = [_answer(process, monotonic() + PATIENCE, beat) for process in running]
        finally:
            for process in running:
                process.kill()
                process.wait()
    for process, (output, said) in zip(running, told, strict=True):
        if process.returncode:
            last = said.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
            raise NotCompared(f"another process ended with {last[0]}")
        yield [torch.tensor(rows, dtype=torch.float64) for rows in json.loads(output.splitlines()[-1])]


def in_another_process() -> None:
    """Play the saved histories that the command line names, and print every row that came back."""
    torch.set_num_threads(1)
    rows = []
    for name in sys.argv[1:]:
        saved = load(Path(name))
        with torch.inference_mode():
            lockstep = Lockstep(reload(saved), saved.history, Transitions(), has_copy=False)
            stretch, stopped = lockstep.follow(saved.history.steps)
            if stopped:
                raise AssertionError(stopped[0].summary)
            rows.append(stretch.returned.double().tolist())
    print(json.dumps(rows))


def _answer(process: subprocess.Popen[str], deadline: float, beat: Callable[[], None]) -> tuple[str, str]:
    """What it printed, and what it said of errors."""
    while True:
        beat()
        try:
            return process.communicate(timeout=TICK)
        except subprocess.TimeoutExpired as error:
            if monotonic() > deadline:
                raise NotCompared(f"another process did not answer within {PATIENCE:.0f} s") from error


def _difference(history: History, one: torch.Tensor, other: torch.Tensor) -> Finding | None:
    """history: of one request alone, with a row in every step."""
    differs = ((one != other) & ~(one.isnan() & other.isnan())).any(dim=1).nonzero().flatten().tolist()
    if not differs:
        return None
    row = differs[0]
    given = bank(history.seed, history.vocab, history.dtype)[row_number(0, row)]
    return Finding(
        HashSeed.code,
        "D4",
        "row 0 (A) differs in a process with another hash seed (PYTHONHASHSEED), as every rank has one",
        row + 1,
        0,
        "A",
        given=tuple(given.double().tolist()),
        expected=tuple(one[row].tolist()),
        actual=tuple(other[row].tolist()),
    )
