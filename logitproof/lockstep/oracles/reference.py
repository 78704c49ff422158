"""The target's reference row, where it has one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import torch

from logitproof.impl.request import Request
from logitproof.model.rows import RowFunction
from logitproof.spec import SamplingParams
from logitproof.targets.errors import TargetError, one_line

from ..finding import Finding
from ..observation import Observation
from ..tolerance import REFERENCE, differing_rows, excused
from .oracle import about_row

if TYPE_CHECKING:
    from ..stretch import Stretch


class Reference:
    """Processor rows == reference rows, within the tolerance of the dtype."""

    code: ClassVar[str] = "reference"
    laws: ClassVar[tuple[str, ...]] = ("D4", "D1")
    sentence: ClassVar[str] = "a row differs from the reference function of its request"

    def is_silent(self, stretch: Stretch) -> bool:
        if stretch.target.reference is None:
            return True
        asking = ~stretch.plain
        if not torch.equal(stretch.returned[stretch.plain], stretch.given[stretch.plain]):
            return False
        rows = stretch.given[asking].tolist()
        try:
            wanted = [
                _wanted(stretch.target.reference, *request, row)
                for request, row in zip(stretch.asking(), rows, strict=True)
            ]
        except TargetError:
            return False  # whether an earlier step shows a fault is found out step by step
        if not wanted:
            return True
        returned = stretch.returned[asking]
        exact = torch.tensor(wanted, dtype=torch.float64)
        return not differing_rows(returned, exact.to(returned.dtype), REFERENCE)

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.reference is None or seen.returned is None or seen.given is None:
            return
        rows = seen.given.tolist()
        for row, (request, asks_nothing) in enumerate(zip(seen.on_time, seen.plain, strict=True)):
            if not asks_nothing:
                rows[row] = _wanted(seen.reference, *_known_of(request), rows[row])
        wanted = torch.tensor(rows, dtype=torch.float64)
        if torch.equal(seen.returned, wanted.to(seen.returned.dtype)):
            return
        limit = REFERENCE[seen.returned.dtype]
        for row in differing_rows(seen.returned, wanted.to(seen.returned.dtype), REFERENCE):
            if row in seen.waiting:
                continue  # `late` knows what may be asked of it
            request = seen.on_time[row]
            exact = partial(_wanted, seen.reference, *_known_of(request))
            if not excused(exact, seen.given[row].tolist(), seen.returned[row].tolist(), limit):
                yield about_row(self, seen, row, "differs from the reference", wanted[row])


def _known_of(request: Request) -> tuple[SamplingParams, list[int] | None, list[int]]:
    return request.params, request.prompt_token_ids, request.output_token_ids


def _wanted(
    reference: RowFunction,
    params: SamplingParams,
    prompt: list[int] | None,
    outputs: list[int],
    row: list[float],
) -> list[float]:
    """The reference row. Raises TargetError: the reference is at fault, not the target."""
    try:
        wanted = list(reference(params, prompt, outputs, row))
    except Exception as error:
        raise TargetError(f"the reference raised {one_line(error)} for {params}") from error
    if len(wanted) != len(row):
        raise TargetError(f"the reference returned {len(wanted)} logits for a row of {len(row)}")
    return wanted
