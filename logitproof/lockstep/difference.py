"""Two processors through the same histories: where do their rows differ first?"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed

from logitproof.fuzz_options import EVERY_DTYPE, FuzzOptions
from logitproof.spec import SamplingParams
from logitproof.targets import Target

from .admission import admitted
from .driver import Lockstep
from .finding import Divergence, Finding
from .generate import histories
from .hazards import DEFAULT_HAZARDS, Hazard
from .history import History
from .observation import Observation
from .shrink import shrink
from .tolerance import SOLO, differing_rows
from .transitions import Transitions

ORACLE = "difference"
"""Not an oracle of laws: which of the two is right, nobody has said."""

HAZARDS = DEFAULT_HAZARDS - {Hazard.ALL_GREEDY}
"""Of a greedy row only the argmax matters, and one of the two may leave out the rest."""


@dataclass(slots=True)
class Comparison:
    """What was played, and the smallest history found in which the two differ, if they do."""

    histories: int = 0
    steps: int = 0
    changed_a_logit: bool = False
    finding: Finding | None = None
    history: History | None = None
    transitions: Transitions = field(default_factory=Transitions)


class _Enough(BaseException):
    """Stops hypothesis from within."""


def compare(left: Target, right: Target, seed: int, options: FuzzOptions) -> Comparison:
    """Play histories until the rows of the two differ or `max_examples` per dialect are spent. Shrinks what it finds.

    What requests look like is said by `left`; a request that either refuses is left out.
    """
    done = Comparison()
    torch.set_num_threads(1)

    def validate(params: SamplingParams) -> None:
        left.validate(params)
        right.validate(params)

    both = replace(left, validate=validate)
    dtypes = EVERY_DTYPE if options.dtype == "all" else (options.dtype,)
    for dialect in options.dialects:
        for dtype in dtypes:

            @with_seed(f"{seed} {dialect.value} {dtype}")
            @settings(
                max_examples=-(-options.max_examples // len(dtypes)),
                database=None,
                deadline=None,
                suppress_health_check=list(HealthCheck),
                phases=(Phase.generate,),
            )
            @given(histories(both, dialect, both.vocab, dtype, HAZARDS))
            def agree(history: History) -> None:
                done.histories += 1
                done.finding = first_difference(history, left, right, done)
                if done.finding is not None:
                    done.history = history
                    raise _Enough

            try:
                agree()
            except _Enough:
                _make_small(done, left, both, right, options)
                return done
    return done


def _make_small(done: Comparison, left: Target, both: Target, right: Target, options: FuzzOptions) -> None:
    found = done.history
    assert found is not None
    if not options.shrink:
        return

    def still_differ(history: History) -> bool:
        fits = all(
            params in found.params or admitted(params, both, history.vocab) for params in history.params
        )
        return fits and first_difference(history, left, right, Comparison()) is not None

    done.history = shrink(found, still_differ)
    done.finding = first_difference(done.history, left, right, Comparison())


def first_difference(history: History, left: Target, right: Target, done: Comparison) -> Finding | None:
    """Where the rows of the two differ first, beyond rounding; None if they never do. Counts what it plays."""
    with torch.inference_mode():
        one, other = (_Followed.of(target, history, done.transitions) for target in (left, right))
        for number in range(1, len(history.steps) + 1):
            done.steps += 1
            if (found := _compared(one, other, right.name, number)) is not None:
                return found
            if one.raised(number) is not None:
                break
    done.changed_a_logit = done.changed_a_logit or done.transitions.changed_a_logit
    return None


@dataclass(frozen=True, slots=True)
class _Followed:
    """What one of the two did in a history, with no oracle looking."""

    steps: dict[int, Observation]
    """By number, those that were played to their end."""
    why: str | None
    """What was raised in the step after them."""

    @classmethod
    def of(cls, target: Target, history: History, transitions: Transitions) -> _Followed:
        never = len(history.steps) + 1
        try:
            lockstep = Lockstep(target, history, transitions, rebuild_every=never, has_copy=False)
        except Divergence as divergence:
            return cls({}, divergence.findings[0].summary)
        stretch, stopped = lockstep.follow(history.steps)
        transitions.changed_a_logit |= not torch.equal(stretch.returned, stretch.given)
        return cls(
            {seen.number: seen for seen in stretch.observations()}, stopped[0].summary if stopped else None
        )

    def raised(self, number: int) -> str | None:
        return self.why if number == len(self.steps) + 1 else None


def _compared(one: _Followed, other: _Followed, second: str, number: int) -> Finding | None:
    said = (one.raised(number), other.raised(number))
    if any(said):
        if said[0] == said[1]:
            return None
        told = [text or "raised nothing" for text in said]
        return Finding(ORACLE, "", f"the first: {told[0]}; the second, {second}: {told[1]}", number)
    mine, others = one.steps[number], other.steps[number]
    given = mine.given if mine.given is not None else others.given
    if given is None:
        return None
    rows = [given if seen.returned is None else seen.returned for seen in (mine, others)]
    for row in differing_rows(rows[0], rows[1], SOLO):
        before, left, right = (tuple(tensor[row].double().tolist()) for tensor in (given, *rows))
        name = mine.requests[row].request_id
        return Finding(
            ORACLE,
            "",
            f"row {row} ({name}) differs from that of {second}",
            number,
            row,
            name,
            before,
            left,
            right,
        )
    return None
