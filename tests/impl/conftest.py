"""What processor tests share: a random engine (plain lists, no code of the batch under test), dtypes, builders."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch

from logitproof.impl import Staging
from logitproof.impl.host_cells import HostCells
from logitproof.spec import BatchUpdate, EngineConfig, MoveDirectionality, SamplingParams

ParamsMaker = Callable[[random.Random], SamplingParams]


@dataclass(eq=False)
class Tenant:
    """A request as this engine sees it."""

    params: SamplingParams
    outputs: list[int] = field(default_factory=list)
    prompt: list[int] | None = None


@dataclass
class RandomEngine:
    """Yields the update of each step and the tenants by row after it. Outputs grow between steps.

    Updates are looser than an engine's: an Add may land on a live row, and a move may fill a hole that was never
    announced as removed.
    """

    seed: int
    make_params: ParamsMaker
    steps: int = 40

    def __iter__(self) -> Iterator[tuple[BatchUpdate | None, list[Tenant]]]:
        rng = random.Random(self.seed)
        rows: list[Tenant] = []
        for _ in range(self.steps):
            yield self._step(rng, rows), rows
            for tenant in rows:
                tenant.outputs.append(rng.choice([-1, 3, 5]))

    def _step(self, rng: random.Random, rows: list[Tenant]) -> BatchUpdate | None:
        if rows and rng.random() < 0.3:
            return None
        slots: list[Tenant | None] = list(rows)
        removed, added, moved = [], [], []
        for row in range(len(slots)):
            if rng.random() < 0.2:
                slots[row] = None
                if rng.random() < 0.7:
                    removed.append(row)
        holes = [row for row, tenant in enumerate(slots) if tenant is None]
        for _ in range(rng.randrange(4)):
            live = [row for row, tenant in enumerate(slots) if tenant is not None]
            choices = [*holes, len(slots), *live]
            row = rng.choice(choices)
            prompt = rng.choice([None, [], [2, 3, 3, 32]])
            tenant = Tenant(self.make_params(rng), [7] * rng.choice([0, 0, 1, 3]), prompt)
            if row == len(slots):
                slots.append(tenant)
            else:
                slots[row] = tenant
            added.append((row, tenant.params, tenant.prompt, tenant.outputs))
            holes = [hole for hole in holes if hole != row]
        self._condense(slots, removed, moved)
        if len(slots) > 1:
            for _ in range(rng.randrange(3)):
                left, right = rng.sample(range(len(slots)), 2)
                slots[left], slots[right] = slots[right], slots[left]
                moved.append((left, right, MoveDirectionality.SWAP))
        rows[:] = [tenant for tenant in slots if tenant is not None]
        return BatchUpdate(len(rows), removed, added, moved)

    def _condense(self, slots: list[Tenant | None], removed: list[int], moved: list) -> None:
        while None in slots:
            if slots[-1] is None:
                slots.pop()
                # The engine announces a hole at the end in every dialect; only filled ones may stay unannounced.
                if len(slots) not in removed:
                    removed.append(len(slots))
                continue
            hole = slots.index(None)
            slots[hole] = slots.pop()
            moved.append((len(slots), hole, MoveDirectionality.UNIDIRECTIONAL))


@pytest.fixture
def random_engine() -> type[RandomEngine]:
    return RandomEngine


@pytest.fixture(params=[torch.float32, torch.bfloat16, torch.float16], ids=str)
def dtype(request: pytest.FixtureRequest) -> torch.dtype:
    return request.param


@pytest.fixture
def make_processor():
    """Builds a processor of the given class for the CPU."""
    return lambda processor: processor(EngineConfig(), torch.device("cpu"), False)


@pytest.fixture
def add():
    """An update that puts requests with the given params (and outputs, if any) into rows 0, 1, …"""

    def update(*params: SamplingParams, outputs: Sequence[list[int]] = ()) -> BatchUpdate:
        lists = list(outputs) or [[] for _ in params]
        added = [(row, p, None, o) for row, (p, o) in enumerate(zip(params, lists, strict=True))]
        return BatchUpdate(len(added), [], added, [])

    return update


@pytest.fixture
def assert_same_rows():
    """Bit for bit, NaN equal to NaN."""

    def check(actual: torch.Tensor, expected: torch.Tensor) -> None:
        torch.testing.assert_close(actual, expected, rtol=0, atol=0, equal_nan=True)

    return check


@pytest.fixture
def uploads(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Everything that was staged so far, and on a host the cells that were built for at least one row."""
    seen: list[object] = []
    original = Staging.upload

    def recording(self: Staging, host: torch.Tensor) -> torch.Tensor:
        seen.append(host)
        return original(self, host)

    built = HostCells.__init__

    def noting(self: HostCells, rows: Any, *rest: Any) -> None:
        seen.extend(rows)
        built(self, rows, *rest)

    monkeypatch.setattr(Staging, "upload", recording)
    monkeypatch.setattr(HostCells, "__init__", noting)
    return seen
