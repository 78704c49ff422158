"""One finished step as the oracles see it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from logitproof.impl.request import Request
from logitproof.model.rows import RowFunction
from logitproof.spec import BatchUpdate, LogitsProcessor

from .expected import Announced, Expected


@dataclass(frozen=True, slots=True)
class Work:
    """What one step cost: tensors with memory of their own, waits of the host, and the operations that made them."""

    made: int
    syncs: int
    operations: tuple[str, ...]


@dataclass(slots=True)
class Observation:
    """Everything that an oracle may look at. Do not write into it.

    number: of the step, from 1. rebuild_due: whether the costly oracles should look at this step.
    before: the batch at the start of the step. newcomers: those who entered, in order.
    update: what the engine said; announced: the same with requests as numbers (-1: a stranger).
    claims_argmax: what the instance said at start-up. plain: which rows ask for nothing.
    given: the logits as they were, passed: the tensor handed to `apply`, returned: what came back, solo: what each
    request's own instance made of its row; tensors (num_requests, vocab), None where `apply` was not called.
    around: the rows of the buffer in which `passed` lies, before and after it; fence: what they held.
    second: what a second instance, told the same, returned; second_error: what it raised; work: what the step cost it.
    None in histories without one, and `work` also in steps that are not measured.
    """

    number: int
    rebuild_due: bool
    before: Sequence[Request]
    newcomers: Sequence[Request]
    expected: Expected
    update: BatchUpdate | None
    announced: Announced | None
    requests: Sequence[Request]
    plain: Sequence[bool]
    claims_argmax: bool
    make: Callable[[], LogitsProcessor]
    reference: RowFunction | None
    given: torch.Tensor | None = None
    passed: torch.Tensor | None = None
    returned: torch.Tensor | None = None
    solo: torch.Tensor | None = None
    around: tuple[torch.Tensor, torch.Tensor] | None = None
    fence: torch.Tensor | None = None
    second: torch.Tensor | None = None
    second_error: Exception | None = None
    work: Work | None = None
