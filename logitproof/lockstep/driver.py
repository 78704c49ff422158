"""Plays a history on an engine, a processor and the model, side by side, and lets the oracles look at every step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import torch

from logitproof.impl.request import Request
from logitproof.spec import BatchUpdate, LogitsProcessor
from logitproof.targets import Target
from logitproof.targets.load import cpu, engine_config

from .bank import bank, row_number
from .expected import Announced, expected
from .finding import Divergence, Finding, Severity
from .history import Arrival, History, Step
from .lived import Lived
from .loans import Loans
from .observation import Observation
from .oracles import ENGINE_ORACLES, HISTORY_ORACLES, PROCESSOR_ORACLES, Crash, Oracle, Shape
from .second_copy import SecondCopy
from .solo_runs import SoloRuns
from .transitions import Transitions

REBUILD_EVERY = 4
"""A rebuild costs about as much as the other oracles together, and stale state lives for several steps."""
REBUILD_ALWAYS = 8
"""Histories up to this long get one in every step, so that shrinking need not hit the right step."""
SECOND_COPY_SEED = 0
"""Histories with this seed, one in four, have a second copy beside the first, and so has every short one."""

FENCE = 0
"""The row of the bank that lies before and after the batch's own rows, up to a full batch and one more."""


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a history. faults: all of one step, the one that says most first; empty if the run was clean."""

    faults: tuple[Finding, ...]
    warnings: tuple[Finding, ...]
    steps: int


class Lockstep:
    """One engine, one processor, one model; `play` takes them through a step. Raises Divergence at the first fault."""

    def __init__(
        self, target: Target, world: History, transitions: Transitions, rebuild_every: int = 1
    ) -> None:
        """world: a history whose steps are not read; they come by `play`."""
        self._world = world
        self._transitions = transitions
        self._rebuild_every = rebuild_every
        self._engine = target.make_engine(world.dialect, world.slots)
        self._target = target
        self._config = engine_config(world.slots, world.vocab)
        self._device = cpu()
        self._processor = self.make()
        self._claims_argmax = self._processor.is_argmax_invariant()
        self._solo = SoloRuns(self.make)
        self._bank = bank(world.seed, world.vocab, world.dtype)
        self._fence = self._bank[[FENCE] * (world.slots + 1)]
        self._loans = Loans(world)
        has_copy = world.seed == SECOND_COPY_SEED or len(world.steps) <= REBUILD_ALWAYS
        self._second = SecondCopy(self.make) if has_copy else None
        self._arrivals: dict[str, Arrival] = {}
        self._waiting: dict[str, Request] = {}
        self._engine_oracles = [oracle() for oracle in ENGINE_ORACLES]
        self._history_oracles = [oracle() for oracle in HISTORY_ORACLES]
        self._processor_oracles = [*(oracle() for oracle in PROCESSOR_ORACLES), *self._history_oracles]
        self.warnings: dict[str, Finding] = {}
        self.number = 0
        self._last_update = 0

    def make(self) -> LogitsProcessor:
        """A further instance of the processor under test."""
        return self._target.make(self._config, self._device, False)

    def play(self, step: Step) -> None:
        """One step: engine, update_state, apply, oracles, sampled tokens."""
        self.number += 1
        before = list(self._engine.requests)
        slot_of = {request.request_id: slot for slot, request in enumerate(before)}
        leaving = (*step.finished, *step.unscheduled)
        newcomers = [self._enter(arrival) for arrival in step.new]
        newcomers += [self._waiting.pop(name) for name in step.resumed]
        for name in step.unscheduled:
            self._waiting[name] = before[slot_of[name]]
        self._solo.forget(step.finished)
        for name in step.finished:
            self._loans.end(before[slot_of[name]], self.number)
        wanted = expected(
            len(before),
            tuple(sorted(slot_of[name] for name in leaving)),
            len(newcomers),
            step.swaps,
            self._world.dialect,
        )
        update = self._engine.step(finished=leaving, new=newcomers, swaps=step.swaps)
        if update is not None:
            self._last_update = self.number
        requests = list(self._engine.requests)
        plain_of = self._loans.plain_of
        self._transitions.count(step, update, before, requests, plain_of, self._world.slots)
        seen = Observation(
            number=self.number,
            rebuild_due=self.number % self._rebuild_every == 0,
            before=before,
            newcomers=newcomers,
            expected=wanted,
            update=update,
            announced=_numbered(update, len(before), newcomers),
            requests=requests,
            plain=[plain_of[id(request.params)] for request in requests],
            claims_argmax=self._claims_argmax,
            make=self.make,
            reference=self._target.reference,
        )
        self._judge(seen, self._engine_oracles)
        self._process(seen)
        if self._second is not None:
            self._second.follow(seen)
        self._judge(seen, self._processor_oracles)
        for request in requests:
            if request.request_id not in step.partial:
                script = self._arrivals[request.request_id].script
                self._loans.append(request, script[len(request.output_token_ids) % len(script)])

    def _enter(self, arrival: Arrival) -> Request:
        self._arrivals[arrival.name] = arrival
        return self._loans.lend(arrival)

    def end(self) -> None:
        """The history is over: let the oracles look back on it. Raises Divergence as `play` does."""
        lived = Lived(
            self._processor,
            self._loans,
            [*self._engine.requests, *self._waiting.values()],
            self._world.slots,
            self.number,
            self._last_update,
        )
        self._raise(finding for oracle in self._history_oracles for finding in oracle.conclude(lived))

    def _process(self, seen: Observation) -> None:
        """update_state exactly once (C4), then apply, unless the sampler would skip it (E2) or nobody is there."""
        try:
            self._processor.update_state(seen.update)
        except (Exception, SystemExit) as error:
            raise Divergence((Crash.finding("update_state", "the batch", error, self.number),)) from error
        if not seen.requests:
            return
        rows = [
            row_number(self._arrivals[request.request_id].row, len(request.output_token_ids))
            for request in seen.requests
        ]
        given = self._bank[rows]
        applies = not (self._claims_argmax and all(request.params.is_greedy for request in seen.requests))
        if applies:
            seen.given = given
            beyond = [FENCE] * (self._world.slots - len(rows) + 1)
            buffer = self._bank[[FENCE, *rows, *beyond]]
            seen.passed = buffer[1 : len(rows) + 1]
            seen.around, seen.fence = (buffer[:1], buffer[len(rows) + 1 :]), self._fence
            try:
                seen.returned = self._processor.apply(seen.passed)
            except (Exception, SystemExit) as error:
                raise Divergence((Crash.finding("apply", "the batch", error, self.number),)) from error
            self._judge(seen, [Shape()])  # rows of a misfit cannot be compared
            self._count_changes(seen)
        seen.solo = self._solo.rows(seen.requests, given, applies, self.number)

    def _count_changes(self, seen: Observation) -> None:
        self._transitions.rows += len(seen.requests)
        # Whether anything ever changes is all that the verdict needs; after that the comparison would only cost time.
        if (
            not self._transitions.changed_a_logit
            and isinstance(seen.returned, torch.Tensor)
            and seen.given is not None
        ):
            self._transitions.changed_a_logit = not torch.equal(seen.returned, seen.given)

    def _judge(self, seen: Observation, oracles: Sequence[Oracle]) -> None:
        self._raise(finding for oracle in oracles for finding in oracle.judge(seen))

    def _raise(self, findings: Iterable[Finding]) -> None:
        faults = []
        for finding in findings:
            if finding.severity is Severity.WARNING:
                self.warnings.setdefault(finding.oracle, finding)
            else:
                faults.append(finding)
        if faults:
            raise Divergence(tuple(faults))


def _numbered(update: BatchUpdate | None, size: int, newcomers: Sequence[Request]) -> Announced | None:
    """The update with requests as numbers. A newcomer is known by its output list, which processors share (C5)."""
    if update is None:
        return None
    number_of = {id(request.output_token_ids): size + number for number, request in enumerate(newcomers)}
    added = tuple((index, number_of.get(id(outputs), -1)) for index, _, _, outputs in update.added)
    return Announced(update.batch_size, tuple(update.removed), added, tuple(update.moved))


def run(history: History, target: Target, transitions: Transitions | None = None) -> Run:
    """Play a whole history, up to its first fault."""
    transitions = transitions or Transitions()
    rebuild_every = 1 if len(history.steps) <= REBUILD_ALWAYS else REBUILD_EVERY
    with torch.inference_mode():
        lockstep = Lockstep(target, history, transitions, rebuild_every)
        try:
            for step in history.steps:
                lockstep.play(step)
            lockstep.end()
        except Divergence as divergence:
            return Run(divergence.findings, tuple(lockstep.warnings.values()), lockstep.number)
    return Run((), tuple(lockstep.warnings.values()), lockstep.number)
