"""The processors of one engine, parted once by whether they may change the argmax."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from logitproof.spec import BatchUpdate, LogitsProcessor, SamplingParams


@dataclass(frozen=True, slots=True)
class ProcessorSet:
    """Instances in the order in which they act. Source: contract E1 to E3."""

    argmax_invariant: tuple[LogitsProcessor, ...] = ()
    non_argmax_invariant: tuple[LogitsProcessor, ...] = ()

    @property
    def all(self) -> tuple[LogitsProcessor, ...]:
        """Every instance, those that may change the argmax first."""
        return self.non_argmax_invariant + self.argmax_invariant

    def update_state(self, batch_update: BatchUpdate | None) -> None:
        """Tell every instance about the step. Source: contract C4."""
        for processor in self.all:
            processor.update_state(batch_update)

    def validate_params(self, params: SamplingParams) -> None:
        """Raise ValueError if any instance cannot honour `params`. Source: contract D6."""
        for processor in self.all:
            processor.validate_params(params)


def partition(processors: Iterable[LogitsProcessor]) -> ProcessorSet:
    """Ask each instance, once, whether it is argmax-invariant. Raises TypeError: the answer is no bool. Source: D5."""
    parts: dict[bool, list[LogitsProcessor]] = {True: [], False: []}
    for processor in processors:
        answer = processor.is_argmax_invariant()
        if type(answer) is not bool:
            raise TypeError(
                f"Expected {type(processor).__name__}.is_argmax_invariant() to return True or False but got {answer!r} "
                f"(type={type(answer).__name__}); a forgotten return statement gives None"
            )
        parts[answer].append(processor)
    return ProcessorSet(tuple(parts[True]), tuple(parts[False]))
