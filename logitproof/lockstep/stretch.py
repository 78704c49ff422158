"""Consecutive steps that were played and are not judged yet: what was given, and what came back.

Nothing in here is lent to the processor or keeps anything alive that was: what has ended can be collected while the
steps wait for their judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import torch

from logitproof.impl.request import Request
from logitproof.spec import BatchUpdate, LogitsProcessor, SamplingParams
from logitproof.targets import Target

from .buffer import FENCE, LentLogits
from .course import Planned
from .expected import Announced
from .finding import Finding
from .history import Arrival, History
from .observation import Observation, Work


@dataclass(slots=True)
class Played:
    """What came of one step.

    position: among the steps in which `apply` was called; None for the others. outputs: of every live request, as they
    were when `update_state` was called. rebuilt: what a fresh instance made of the logits, a tensor or what it raised;
    None where none was asked. The rest: as in `Observation`.
    """

    plan: Planned
    announced: Announced | None
    outputs: list[list[int]]
    waiting: dict[int, list[int]]
    position: int | None
    rebuilt: torch.Tensor | Finding | None = None
    second_error: BaseException | None = None
    work: Work | None = None
    findings: list[Finding] = field(default_factory=list)
    """Of oracles that look at a step while it is played."""


class Stretch:
    """Steps of one history, in order, and the tensors (rows of all steps in which `apply` was called, vocab)."""

    def __init__(
        self,
        world: History,
        plans: Sequence[Planned],
        bank: torch.Tensor,
        arrivals: dict[str, Arrival],
        claims_argmax: bool,
        processor: LogitsProcessor,
        make: Callable[[], LogitsProcessor],
        target: Target,
        has_second: bool,
    ) -> None:
        """arrivals: of everybody in it, by name; read later, when all of them have come."""
        self.world = world
        self.claims_argmax = claims_argmax
        self.target = target
        self.steps: list[Played] = []
        """Those that were played to their end."""
        self._processor = processor
        self._make = make
        self._arrivals = arrivals
        self._bank = bank
        applied = [plan for plan in plans if plan.applies]
        self.first = LentLogits(bank, applied, world.slots, world.padding)
        self.second = LentLogits(bank, applied, world.slots, world.padding) if has_second else None
        """Of a second copy, where there is one."""
        self.all_solo = bank.new_empty(0)
        """What the requests' own instances made of the rows; filled in when the steps have been played."""

    @property
    def applied(self) -> list[Played]:
        """The steps in which `apply` was called."""
        return [played for played in self.steps if played.position is not None]

    @cached_property
    def given(self) -> torch.Tensor:
        """The logits as they were."""
        numbers = [row for played in self.applied for row in played.plan.rows]
        return self._bank.index_select(0, torch.tensor(numbers, dtype=torch.int64))

    @cached_property
    def returned(self) -> torch.Tensor:
        """The logits as they came back."""
        return self.first.returned[: len(self.given)]

    @property
    def solo(self) -> torch.Tensor:
        """What each request's own instance made of its rows."""
        return self.all_solo[: len(self.given)]

    @cached_property
    def seconded(self) -> torch.Tensor:
        """What a second copy returned, of the first steps or of all; no row where there is no second copy."""
        return self.given[:0] if self.second is None else self.second.returned[: len(self.given)]

    @cached_property
    def plain(self) -> torch.Tensor:
        """Which rows belong to requests that ask for nothing: bool tensor (rows,)."""
        return torch.tensor([flag for played in self.applied for flag in played.plan.plain], dtype=torch.bool)

    def rows(self, played: Played) -> slice:
        """Where the rows of a step are in the tensors."""
        assert played.position is not None
        return self.first.rows(played.position)

    def asking(self) -> Iterator[tuple[SamplingParams, list[int] | None, list[int]]]:
        """Params, prompt and outputs behind every row whose request asks for something."""
        prompts = [[*prompt] for prompt in self.world.prompts]
        for played in self.applied:
            plan = played.plan
            for name, outputs, asks_nothing in zip(plan.names, played.outputs, plan.plain, strict=True):
                if not asks_nothing:
                    arrival = self._arrivals[name]
                    prompt = None if arrival.prompt is None else prompts[arrival.prompt]
                    yield self.world.params[arrival.params], prompt, outputs

    def requests(self, played: Played) -> list[Request]:
        """Likenesses of the live requests, by slot, with their outputs as they were."""
        return [
            self._likeness(name, outputs)
            for name, outputs in zip(played.plan.names, played.outputs, strict=True)
        ]

    def _likeness(self, name: str, outputs: list[int]) -> Request:
        arrival = self._arrivals[name]
        prompt = None if arrival.prompt is None else [*self.world.prompts[arrival.prompt]]
        return Request(name, self.world.params[arrival.params], prompt, outputs)

    def observations(self) -> Iterator[Observation]:
        """Every step as the oracles see it, with likenesses in the place of requests."""
        for played in self.steps:
            yield self._observation(played)

    def _observation(self, played: Played) -> Observation:
        plan = played.plan
        requests = self.requests(played)
        outputs = dict(zip(plan.names, played.outputs, strict=True))
        newcomers = [self._likeness(name, outputs[name]) for name in plan.newcomers]
        seen = Observation(
            number=plan.number,
            before=[self._likeness(name, []) for name in plan.before],
            newcomers=newcomers,
            expected=plan.expected,
            update=self._update(played.announced, len(plan.before), newcomers),
            announced=played.announced,
            requests=requests,
            plain=plan.plain,
            claims_argmax=self.claims_argmax,
            make=self._make,
            reference=self.target.reference,
            is_guessed=self.target.is_guessed,
            processor=self._processor,
            on_time=requests,
            waiting=played.waiting,
            rebuilt=played.rebuilt,
            second_error=played.second_error,
            work=played.work,
        )
        if played.position is not None:
            rows = self.first.rows(played.position)
            seen.given, seen.returned = self.given[rows], self.returned[rows]
            seen.passed = self.first.own(played.position)
            if self.first.in_place(played.position):
                seen.returned = seen.passed
            seen.solo = self.solo[rows]
            seen.around = self.first.around(played.position)
            seen.fence = self._bank[[FENCE] * (self.world.slots + 1)]
            if played.position:
                seen.overwritten = self.first.overwritten(played.position - 1)
                seen.lent = self.first.in_place(played.position - 1)
            if rows.stop <= len(self.seconded):
                seen.second = self.seconded[rows]
        return seen

    @staticmethod
    def _update(announced: Announced | None, size: int, newcomers: Sequence[Request]) -> BatchUpdate | None:
        if announced is None:
            return None
        added = []
        for index, number in announced.added:
            new = newcomers[number - size]
            added.append((index, new.params, new.prompt_token_ids, new.output_token_ids))
        return BatchUpdate(announced.batch_size, announced.removed, added, announced.moved)
