"""One finished step as the oracles see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import torch

from logitproof.impl.request import Request
from logitproof.model.rows import RowFunction
from logitproof.spec import BatchUpdate, LogitsProcessor

from .expected import Announced, Expected
from .finding import Finding


@dataclass(frozen=True, slots=True)
class Work:
    """What one step cost: tensors with memory of their own, waits of the host, and the operations that made them."""

    made: int
    syncs: int
    operations: tuple[str, ...]


@dataclass(slots=True)
class Observation:
    """Everything that an oracle may look at. Do not write into it.

    An oracle that looks back on a stretch of steps (see `oracles.oracle.Hindsight`) finds likenesses in the place of
    requests, with their outputs as they were. One that looks at once has the requests themselves, and no `solo`.

    number: of the step, from 1.
    before: the batch at the start of the step. newcomers: those who entered, in order.
    update: what the engine said; announced: the same with requests as numbers (-1: a stranger).
    processor: the instance under test, as it is after the step; to look at, not to call.
    claims_argmax: what the instance said at start-up. plain: which rows ask for nothing.
    is_guessed: whether what requests ask for was guessed from the target's source.
    given: the logits as they were, passed: the tensor handed to `apply`, returned: what came back, solo: what each
    request's own instance made of its row; tensors (num_requests, vocab), None where `apply` was not called.
    around: the rows of the buffer in which `passed` lies, before and after it; fence: what they held.
    came: how many requests have come so far.
    on_time: the requests with output lists that hold every token; the same as `requests` unless lists lag behind.
    waiting: rows whose output list ends in placeholders, with the tokens that have arrived.
    rebuilt: what a fresh instance, given Adds only, made of `given`, or the finding that it raised; None where none was
    asked.
    overwritten: how many cells of what `apply` returned in the step before have been written to since; lent: whether
    those were the engine's.
    second: what a second instance, told the same, returned; second_error: what it raised; work: what the step cost it.
    None in histories without one, and `work` also in steps that are not measured.
    """

    number: int
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
    processor: LogitsProcessor
    is_guessed: bool = False
    given: torch.Tensor | None = None
    passed: torch.Tensor | None = None
    returned: torch.Tensor | None = None
    solo: torch.Tensor | None = None
    around: tuple[torch.Tensor, torch.Tensor] | None = None
    fence: torch.Tensor | None = None
    on_time: Sequence[Request] = ()
    came: int = 0
    waiting: Mapping[int, list[int]] = field(default_factory=dict)
    rebuilt: torch.Tensor | Finding | None = None
    overwritten: int = 0
    lent: bool = True
    second: torch.Tensor | None = None
    second_error: BaseException | None = None
    work: Work | None = None
