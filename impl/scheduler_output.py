"""What the scheduler decides about one step."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .request import Request


@dataclass(frozen=True, slots=True)
class SchedulerOutput:
    """One step's decisions; the default is "everyone goes on".

    A running request that is not scheduled leaves the batch, and comes back by an Add that finds its outputs so far.
    """

    finished: Collection[str] = ()
    """Ids of requests that end: running, unscheduled, or arrived and never run."""
    new: Sequence[Request] = ()
    """Arrived requests that enter the batch for the first time, in order."""
    unscheduled: Collection[str] = ()
    """Ids of running requests that sit this step out."""
    resumed: Sequence[str] = ()
    """Ids of unscheduled requests that come back, in order; they enter after the new ones."""
    partial_prefill: Collection[str] = ()
    """Ids of requests in the batch whose prompt is not complete yet: their sampled token is thrown away."""
    swaps: Sequence[tuple[int, int]] = ()
    """Pairs of slots that the attention backend exchanges after condense. Source: contract B6."""
