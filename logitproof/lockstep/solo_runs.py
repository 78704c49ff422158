"""Every request once more, alone: its own instance in a batch of one, never moved, fed None (contract D4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch

from logitproof.impl.request import Request
from logitproof.spec import BatchUpdate, LogitsProcessor

from .finding import Divergence, Finding
from .oracles.crash import Crash
from .oracles.shape import Shape, misfit


class SoloRuns:
    """One instance per request, kept while the request is unscheduled: its solo run is the uninterrupted one."""

    def __init__(self, make: Callable[[], LogitsProcessor]) -> None:
        self._make = make
        self._instances: dict[str, LogitsProcessor] = {}

    def forget(self, names: Sequence[str]) -> None:
        """These requests have finished."""
        for name in names:
            self._instances.pop(name, None)

    def rows(
        self, requests: Sequence[Request], given: torch.Tensor, apply: bool, step: int
    ) -> torch.Tensor | None:
        """One step of every live request, alone.

        given: float tensor (num_requests, vocab). Returns the same shape; None if `apply` was not asked for.
        Raises Divergence: a solo run raises, or returns no row.
        """
        results = []
        for slot, request in enumerate(requests):
            method = "update_state"
            try:
                instance = self._instances.get(request.request_id)
                if instance is None:
                    instance = self._instances[request.request_id] = self._make()
                    alone = (0, request.params, request.prompt_token_ids, request.output_token_ids)
                    instance.update_state(BatchUpdate(1, [], [alone], []))
                else:
                    instance.update_state(None)
                if not apply:
                    continue
                method = "apply"
                row = given[slot : slot + 1].clone()
                result = instance.apply(row)
            except (Exception, SystemExit) as error:
                where = f"the solo run of {request.request_id}"
                raise Divergence((Crash.finding(method, where, error, step),)) from error
            if fault := misfit(row, result):
                summary = f"in the solo run of {request.request_id} apply returned {fault}"
                raise Divergence((Finding(Shape.code, Shape.laws[0], summary, step),))
            results.append(result)
        return torch.cat(results) if apply and results else None
