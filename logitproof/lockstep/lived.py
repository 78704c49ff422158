"""A history that has been played to its end, as the oracles that look at the whole see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from logitproof.impl.request import Request
from logitproof.spec import LogitsProcessor

from .loans import Loans


@dataclass(frozen=True, slots=True)
class Lived:
    """requests: those in the batch or waiting. claims_argmax: what the instance said at
    start-up. last_update: number of the last step whose update was not None."""

    processor: LogitsProcessor
    loans: Loans
    requests: Sequence[Request]
    slots: int
    steps: int
    last_update: int
    claims_argmax: bool
