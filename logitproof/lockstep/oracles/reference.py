"""The target's reference row, where it has one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar

import torch

from logitproof.impl.request import Request
from logitproof.model.rows import RowFunction
from logitproof.targets.errors import TargetError, one_line

from ..finding import Finding
from ..observation import Observation
from ..tolerance import REFERENCE, differing_rows, excused
from .oracle import about_row


class Reference:
    """Processor rows == reference rows, within the tolerance of the dtype."""

    code: ClassVar[str] = "reference"
    laws: ClassVar[tuple[str, ...]] = ("D4", "D1")
    sentence: ClassVar[str] = "a row differs from the reference function of its request"

    def judge(self, seen: Observation) -> Iterator[Finding]:
        if seen.reference is None or seen.returned is None or seen.given is None:
            return
        rows = seen.given.tolist()
        for row, (request, asks_nothing) in enumerate(zip(seen.requests, seen.plain, strict=True)):
            if not asks_nothing:
                rows[row] = _wanted(seen.reference, request, rows[row])
        wanted = torch.tensor(rows, dtype=torch.float64)
        if torch.equal(seen.returned, wanted.to(seen.returned.dtype)):
            return
        limit = REFERENCE[seen.returned.dtype]
        for row in differing_rows(seen.returned, wanted.to(seen.returned.dtype), REFERENCE):
            request = seen.requests[row]
            exact = partial(_wanted, seen.reference, request)
            if not excused(exact, seen.given[row].tolist(), seen.returned[row].tolist(), limit):
                yield about_row(self, seen, row, "differs from the reference", wanted[row])


def _wanted(reference: RowFunction, request: Request, row: list[float]) -> list[float]:
    """The reference row. Raises TargetError: the reference is at fault, not the target."""
    try:
        wanted = list(reference(request.params, request.prompt_token_ids, request.output_token_ids, row))
    except Exception as error:
        raise TargetError(f"the reference raised {one_line(error)} for {request.params}") from error
    if len(wanted) != len(row):
        raise TargetError(f"the reference returned {len(wanted)} logits for a row of {len(row)}")
    return wanted
