"""What a fresh instance makes of a batch that it is told of for the first time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from logitproof.impl.request import Request
from logitproof.spec import BatchUpdate, LogitsProcessor

from .finding import Finding
from .oracles.crash import Crash
from .watchdog import RAISED


def rebuild(
    make: Callable[[], LogitsProcessor],
    requests: Sequence[Request],
    given: torch.Tensor,
    number: int,
    beat: Callable[[], None],
) -> torch.Tensor | Finding:
    """Given Adds at the current slots only: what `apply` returns, or what to say of the exception.

    given: float tensor (num_requests, vocab), may be written to. number: of the step. beat: see `Watchdog`.
    """
    added = [
        (slot, request.params, request.prompt_token_ids, request.output_token_ids)
        for slot, request in enumerate(requests)
    ]
    method = "the constructor"
    try:
        beat()
        fresh = make()
        method = "update_state"
        fresh.update_state(BatchUpdate(len(added), [], added, []))
        method = "apply"
        beat()
        return fresh.apply(given)
    except RAISED as error:
        return Crash.finding(method, "a fresh instance, given Adds only,", error, number)
