"""The same lockstep run as a state machine of hypothesis, for test suites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

import torch
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from logitproof.spec import Dialect
from logitproof.targets import Target

from .blame import blame
from .decode import Decoder
from .driver import REBUILD_EVERY, SECOND_COPY_SEED, Lockstep
from .finding import Divergence
from .generate import step_bytes, worlds
from .history import History, Step
from .timeline import draw_timeline
from .transitions import Transitions


def lockstep_machine(
    target: Target, dialect: Dialect = Dialect.DOCUMENTED, thorough: bool = True
) -> type[RuleBasedStateMachine]:
    """A state machine for one target: `TestMine = lockstep_machine(load_target("my.module:Mine")).TestCase`.

    thorough: every step is rebuilt and every history has a second copy; otherwise as often as in a long history of a
    campaign. The class counts what it has played in `played`.

    One rule is one engine step. A whole history drawn at once (`logitproof fuzz`) makes several times the steps per
    second; a state machine fits into a test suite and prints the rules that lead to the failure.
    """

    class LockstepMachine(RuleBasedStateMachine):
        played: ClassVar[int] = 0
        """Steps of all runs together."""

        def __init__(self) -> None:
            super().__init__()
            self.lockstep: Lockstep | None = None
            self.steps: list[Step] = []
            self.diverged = False

        @initialize(world=worlds(target, dialect))
        def start(self, world: History) -> None:
            self.world = world
            self.decoder = Decoder(world)
            rebuild_every = 1 if thorough else REBUILD_EVERY
            has_copy = thorough or world.seed == SECOND_COPY_SEED
            self.lockstep = Lockstep(target, world, Transitions(), rebuild_every, has_copy)

        @precondition(lambda self: self.lockstep is not None)
        @rule(data=step_bytes())
        def step(self, data: bytes) -> None:
            assert self.lockstep is not None
            played = self.decoder.step(data)
            self.steps.append(played)
            LockstepMachine.played += 1
            self._judged(partial(self.lockstep.play, (played,)))

        def teardown(self) -> None:
            if self.lockstep is not None and not self.diverged:
                self._judged(self.lockstep.end)

        def _judged(self, play: Callable[[], None]) -> None:
            try:
                with torch.inference_mode():
                    play()
            except Divergence as divergence:
                self.diverged = True
                raise AssertionError(self._picture(divergence)) from divergence

        def _picture(self, divergence: Divergence) -> str:
            finding = divergence.findings[0]
            history = replace(self.world, steps=tuple(self.steps))
            drawn = draw_timeline(history, finding, blame(history, target, finding))
            return f"{finding.title}: {finding.summary}\n{drawn}"

    machine: Any = LockstepMachine
    machine.__name__ = machine.__qualname__ = f"Lockstep_{target.name.rpartition(':')[2]}"
    return LockstepMachine
