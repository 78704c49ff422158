"""Plays a history on an engine, a processor and the model, side by side, and lets the oracles look at every step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch

from logitproof.impl.request import Request
from logitproof.spec import BatchUpdate, LogitsProcessor
from logitproof.targets import Target
from logitproof.targets.load import cpu, engine_config

from .bank import bank
from .buffer import LentLogits
from .course import Course, Planned
from .expected import Announced, broken_by, numbered
from .finding import Divergence, Finding
from .history import History, Step
from .judgement import judge, raise_faults
from .lived import Lived
from .loans import Loans
from .observation import Observation
from .oracles import ENGINE_ORACLES, HINDSIGHT_ORACLES, HISTORY_ORACLES, Crash, Shape
from .oracles.oracle import looks_at_once, looks_back
from .oracles.shape import misfit
from .oracles.unwritten import Unwritten
from .rebuilt import rebuild
from .second_copy import SecondCopy
from .solo_runs import SoloRuns
from .stretch import Played, Stretch
from .transitions import Transitions
from .watchdog import RAISED, no_beat

REBUILD_EVERY = 4
"""A rebuild costs about as much as the other oracles together, and stale state lives for several steps."""
REBUILD_ALWAYS = 8
"""Histories up to this long get one in every step, so that shrinking need not hit the right step."""
SECOND_COPY_SEED = 0
"""Histories with this seed, one in four, have a second copy beside the first, and so has every short one."""

MOST_CELLS = 1 << 22
"""Logits that lie in one buffer, so many steps are played before the oracles look: a long history of a real model's
vocabulary would take gigabytes at once.
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What came of a history. faults: all of one step, the one that says most first; empty if the run was clean."""

    faults: tuple[Finding, ...]
    warnings: tuple[Finding, ...]
    steps: int
    """Played up to the first fault."""


class Lockstep:
    """One engine, one processor, one model; `play` takes them through steps. Raises Divergence at the first fault."""

    def __init__(
        self,
        target: Target,
        world: History,
        transitions: Transitions,
        rebuild_every: int = 1,
        has_copy: bool = True,
        beat: Callable[[], None] = no_beat,
    ) -> None:
        """world: a history whose steps are not read; they come by `play`. has_copy: a second instance follows.

        beat: called before every call of the processor (see `Watchdog`). Raises Divergence: the constructor raises.
        """
        self._beat = beat
        self.number = 0
        """Steps played and judged; at a fault, the step in which it is."""
        self.warnings: dict[str, Finding] = {}
        self._world = world
        self._transitions = transitions
        self._rebuild_every = rebuild_every
        self._engine = target.make_engine(world.dialect, world.slots)
        self._target = target
        self._config = engine_config(world.slots, world.vocab)
        self._device = cpu()
        try:
            beat()
            self._processor = self.make()
            self._claims_argmax = self._processor.is_argmax_invariant()
        except RAISED as error:
            raise Divergence((Crash.finding("the constructor", "the batch", error, 1),)) from error
        self._bank = bank(world.seed, world.vocab, world.dtype)
        self._loans = Loans(world)
        self._course = Course(world, self._loans.is_plain, self._claims_argmax)
        self._solo = SoloRuns(self.make, world, self._bank, self._course.arrivals, beat)
        self._second = SecondCopy(self.make, beat) if has_copy else None
        self._waiting: dict[str, Request] = {}
        self._engine_oracles = [oracle() for oracle in ENGINE_ORACLES]
        self._history_oracles = [oracle() for oracle in HISTORY_ORACLES]
        watching = (*(oracle() for oracle in HINDSIGHT_ORACLES), *self._history_oracles)
        self._hindsight = [oracle for oracle in watching if looks_back(oracle)]
        self._at_once = [oracle for oracle in watching if looks_at_once(oracle)]
        self._last_update = 0

    def make(self) -> LogitsProcessor:
        """A further instance of the processor under test."""
        return self._target.make(self._config, self._device, False)

    def play(self, steps: Sequence[Step]) -> None:
        """Some steps, each: engine, update_state, apply, sampled tokens; then everybody's solo run; then the oracles.

        A fault stops the playing where nothing sensible can come after it. Earlier steps are judged all the same, so
        that the fault that is raised is the first one.
        """
        stretch, stopped = self.follow(steps)
        if fault := self._solo.play(stretch):
            stopped = (fault,)
            del stretch.steps[fault.step - self.number - 1 :]
        try:
            judge(stretch, self._hindsight, self._warn)
        except Divergence as divergence:
            stopped = divergence.findings
        self._count_rows(stretch)
        if stopped:
            stopped = (*self._written(stopped[0].step), *stopped)
            self.number = stopped[0].step
            raise Divergence(stopped)
        self.number += len(stretch.steps)

    def follow(self, steps: Sequence[Step]) -> tuple[Stretch, tuple[Finding, ...]]:
        """Play some steps and judge nothing: what came of them, and why they ended early, if they did."""
        plans = [self._course.plan(step) for step in steps]
        stretch = Stretch(
            self._world,
            plans,
            self._bank,
            self._course.arrivals,
            self._claims_argmax,
            self._processor,
            self.make,
            self._target,
            self._second is not None,
        )
        stopped: tuple[Finding, ...] = ()
        try:
            for plan in plans:
                self._play(plan, stretch)
        except Divergence as divergence:
            stopped = divergence.findings
        return stretch, stopped

    def _play(self, plan: Planned, stretch: Stretch) -> None:
        """One step up to the sampled tokens. Raises Divergence: the engine is wrong, or the processor raises."""
        step = plan.step
        before = list(self._engine.requests)
        newcomers = [self._loans.lend(arrival) for arrival in step.new]
        newcomers += [self._waiting.pop(name) for name in step.resumed]
        if not step.is_idle:
            slot_of = {request.request_id: slot for slot, request in enumerate(before)}
            for name in (*step.finished, *step.unscheduled):
                self._loans.leave(name)
            for name in step.unscheduled:
                self._waiting[name] = before[slot_of[name]]
            for name in step.finished:
                self._loans.end(before[slot_of[name]], plan.number)
        leaving = (*step.finished, *step.unscheduled)
        update = self._engine.step(finished=leaving, new=newcomers, swaps=step.swaps)
        if update is not None:
            self._last_update = plan.number
        requests = self._engine.requests
        plain_of = self._loans.plain_of
        self._transitions.count(step, update, before, requests, plain_of, self._world.slots)
        announced = numbered(update, len(before), newcomers)
        if not self._is_as_expected(plan, announced, before, newcomers):
            seen = self._observation(plan, announced, update, before, newcomers)
            raise_faults(
                (found for oracle in self._engine_oracles for found in oracle.judge(seen)), self._warn
            )
        outputs = self._loans.outputs
        played = Played(
            plan,
            announced,
            [[*outputs[name].true] for name in plan.names],
            self._loans.waiting(plan.names) if self._world.lag else {},
            stretch.first.kept if plan.applies else None,
        )
        self._process(played, update, requests, stretch.first)
        if self._second is not None and stretch.second is not None:
            self._second.follow(played, update, requests, stretch.second)
        if played.position is not None and plan.number % self._rebuild_every == 0:
            played.rebuilt = rebuild(self.make, requests, self._bank[plan.rows], plan.number, self._beat)
        if any(oracle.is_due(plan.number) for oracle in self._at_once):
            self._look(played, self._observation(plan, announced, update, before, newcomers), stretch.first)
        stretch.steps.append(played)
        self._sample(plan)

    def _sample(self, plan: Planned) -> None:
        """The tokens of a step go to the output lists, or placeholders for them."""
        partial, accepted = plan.step.partial, plan.step.accepted
        for name in plan.names:
            outputs, script = self._loans.outputs[name], self._course.arrivals[name].script
            if self._world.lag:
                outputs.patch(plan.number)
            for _ in range(0 if name in partial else 1 + accepted.count(name)):
                outputs.append(script[len(outputs.true) % len(script)], plan.number)

    def _is_as_expected(
        self,
        plan: Planned,
        announced: Announced | None,
        before: Sequence[Request],
        newcomers: Sequence[Request],
    ) -> bool:
        """Whether the engine did and said what the model does, so that none of its oracles has anything to say."""
        wanted, requests = plan.expected, self._engine.requests
        if wanted.broken or announced != wanted.announced or len(requests) != len(wanted.order):
            return False
        everyone = [*before, *newcomers]
        return (
            all(request is everyone[number] for request, number in zip(requests, wanted.order, strict=True))
            and (announced is None or announced.batch_size == len(requests))
            and not broken_by(wanted.order)
        )

    def _process(
        self,
        played: Played,
        update: BatchUpdate | None,
        requests: Sequence[Request],
        lent: LentLogits,
    ) -> None:
        """update_state exactly once (C4), then apply, unless the sampler would skip it (E2) or nobody is there."""
        number, method = played.plan.number, "update_state"
        try:
            self._beat()
            self._processor.update_state(update)
            if played.position is None:
                return
            method = "apply"
            passed = lent.passed(played.position)
            self._beat()
            returned = self._processor.apply(passed)
        except RAISED as error:
            raise Divergence((Crash.finding(method, "the batch", error, number),)) from error
        if fault := misfit(passed, returned):  # rows of a misfit cannot be compared
            raise Divergence((Shape.finding(fault, number),))
        lent.keep(played.position, returned)

    def _observation(
        self,
        plan: Planned,
        announced: Announced | None,
        update: BatchUpdate | None,
        before: Sequence[Request],
        newcomers: Sequence[Request],
    ) -> Observation:
        """The step as it is at present, with the requests themselves."""
        requests = list(self._engine.requests)
        return Observation(
            number=plan.number,
            before=before,
            newcomers=newcomers,
            expected=plan.expected,
            update=update,
            announced=announced,
            requests=requests,
            plain=plan.plain,
            claims_argmax=self._claims_argmax,
            make=self.make,
            reference=self._target.reference,
            processor=self._processor,
            came=self._loans.came,
            on_time=requests,
            is_guessed=self._target.is_guessed,
        )

    def _look(self, played: Played, seen: Observation, lent: LentLogits) -> None:
        """Ask the oracles that cannot look back."""
        seen.waiting = played.waiting
        if self._world.lag:
            seen.on_time = self._loans.on_time(seen.requests)
        if played.position is not None:
            seen.given = self._bank[played.plan.rows]
            seen.passed = lent.own(played.position)
            seen.returned = lent.latest(played.position)
            seen.rebuilt, seen.second_error, seen.work = played.rebuilt, played.second_error, played.work
        for oracle in self._at_once:
            if oracle.is_due(seen.number):
                played.findings += oracle.judge(seen)

    def end(self) -> None:
        """The history is over: let the oracles look back on it. Raises Divergence as `play` does."""
        self._loans.release()
        lived = Lived(
            self._processor,
            self._loans,
            [*self._engine.requests, *self._waiting.values()],
            self._world.slots,
            self.number,
            self._last_update,
            self._claims_argmax,
        )
        raise_faults(
            (found for oracle in self._history_oracles for found in oracle.conclude(lived)), self._warn
        )

    def _written(self, number: int) -> Iterator[Finding]:
        """What was written into requests: whatever else is wrong follows from it. number: of the step at fault."""
        changed = [*self._loans.written]
        for request in (*self._engine.requests, *self._waiting.values()):
            changed += self._loans.changes(request)
        if changed:
            yield Unwritten.finding(changed[0], number)

    def _count_rows(self, stretch: Stretch) -> None:
        counts = self._transitions.counts
        counts["placeholder"] += sum(len(played.waiting) for played in stretch.steps)
        counts["padded"] += sum(
            len(played.plan.names) < self._world.slots for played in stretch.applied if self._world.padding
        )
        self._transitions.rows += len(stretch.given)
        # Whether anything ever changes is all that the verdict needs; after that the comparison would only cost time.
        if not self._transitions.changed_a_logit:
            self._transitions.changed_a_logit = not torch.equal(stretch.returned, stretch.given)

    def _warn(self, warning: Finding) -> None:
        self.warnings.setdefault(warning.oracle, warning)


def run(
    history: History,
    target: Target,
    transitions: Transitions | None = None,
    thorough: bool = False,
    beat: Callable[[], None] = no_beat,
) -> Run:
    """Play a whole history, up to its first fault.

    What earlier ones have piled up outside of instances is no part of it: that is put back first. It is played in parts
    where its logits are many. thorough: as short ones are, with a rebuild in every step. beat: called before every call
    of the processor.
    """
    target.put_back()
    transitions = transitions or Transitions()
    thorough = thorough or len(history.steps) <= REBUILD_ALWAYS
    has_copy = thorough or history.seed == SECOND_COPY_SEED
    together = max(1, MOST_CELLS // (history.vocab * history.slots))
    with torch.inference_mode():
        try:
            lockstep = Lockstep(
                target, history, transitions, 1 if thorough else REBUILD_EVERY, has_copy, beat
            )
        except Divergence as divergence:
            return Run(divergence.findings, (), 1)
        try:
            for first in range(0, max(1, len(history.steps)), together):
                lockstep.play(history.steps[first : first + together])
            lockstep.end()
        except Divergence as divergence:
            return Run(divergence.findings, tuple(lockstep.warnings.values()), lockstep.number)
    return Run((), tuple(lockstep.warnings.values()), lockstep.number)
