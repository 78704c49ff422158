"""What probing says about a target besides its arguments: which params it plays, and whether it needs prompt ids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch

from logitproof.spec import (
    BatchUpdate,
    EngineConfig,
    ModelConfig,
    MoveDirectionality,
    SamplingParams,
    SchedulerConfig,
)

from .drawing import few
from .errors import one_line
from .probe import PROMPT, Outcome, Probe, probe
from .target import Target

SLOTS = 8
SAMPLES = 6
WITH_OUTPUTS = (1, 2)
"""Numbers of probes whose requests come with some."""


def config_of(target: Target) -> EngineConfig:
    """What a probe's instance is constructed with."""
    return EngineConfig(SchedulerConfig(max_num_seqs=SLOTS), ModelConfig(vocab_size=target.vocab))


def trial(target: Target, params: SamplingParams, number: int = 0) -> Probe:
    """One request alone. number: of the probe."""
    return probe(target, config_of(target), params, target.tokens, number)


def raises_without_outputs_only(target: Target, params: SamplingParams) -> bool:
    """Whether it raises in the first step of a request that has no outputs yet, and at no other time."""
    first = trial(target, params)
    return first.is_first_step and not any(
        trial(target, params, number).outcome is Outcome.RAISED for number in WITH_OUTPUTS
    )


def some_params(target: Target) -> list[SamplingParams]:
    """A few of its requests, and a plain one."""
    drawn = few(target.params_for(target.vocab), SAMPLES) if target.params_for is not None else []
    return [*drawn, SamplingParams()]


def admitting(target: Target) -> Target:
    """The target, which refuses guessed params that it cannot even play alone: the guess was wrong, not the target.

    Not what raises for greedy requests only, or for want of outputs: both happen whatever the arguments are.
    """
    inner = target.validate
    played: dict[str, Exception | None] = {}

    def validate(params: SamplingParams) -> None:
        inner(params)
        if params.extra_args is None:
            return
        guess = replace(params, temperature=SamplingParams().temperature)
        key = repr(guess)
        if key not in played:
            plain = replace(target, validate=inner)
            alone = trial(plain, guess)
            is_wrong = alone.outcome is Outcome.RAISED and not raises_without_outputs_only(plain, guess)
            played[key] = alone.error if is_wrong else None
        error = played[key]
        if error is not None:
            raise ValueError(f"a guess that does not fit: alone, it raises {one_line(error)}")

    return replace(target, validate=_as_value_error(validate), own_validate=inner)


def _as_value_error(validate: Callable[[SamplingParams], None]) -> Callable[[SamplingParams], None]:
    def judged(params: SamplingParams) -> None:
        try:
            validate(params)
        except ValueError:
            raise
        except Exception as error:  # the user's code, given a guess
            raise ValueError(
                f"a guess that does not fit: validate_params raises {one_line(error)}"
            ) from error

    return judged


def without_embeddings(target: Target) -> Target:
    """The target with a note, if it raises for requests without prompt ids and plays the same ones with them."""
    for params in some_params(target):
        if trial(target, params).outcome in (Outcome.RAISED, Outcome.REFUSED):
            continue
        if _moved(target, params, list(PROMPT)) is not None:
            continue  # it raises with prompt ids too: that is for the fuzzer to show
        error = _moved(target, params, None)
        if error is not None:
            said = (
                f"requests without prompt ids (which engines make of prompt embeddings, C5) are left out: it raises "
                f"{one_line(error)} for one"
            )
            return replace(target, takes_no_embeddings=True, notes=(*target.notes, ("prompt", said)))
    return target


def _moved(target: Target, params: SamplingParams, prompt: list[int] | None) -> Exception | None:
    """What two such requests make the target raise that swap their slots, until one has finished."""
    added = [(slot, params, prompt, [1, 2]) for slot in range(2)]
    updates = (
        BatchUpdate(2, [], added, []),
        BatchUpdate(2, [], [], [(0, 1, MoveDirectionality.SWAP)]),
        BatchUpdate(1, [], [], [(1, 0, MoveDirectionality.UNIDIRECTIONAL)]),
        None,
    )
    try:
        with torch.inference_mode():
            processor = target.make(config_of(target), torch.device("cpu"), False)
            for update, size in zip(updates, (2, 2, 1, 1), strict=True):
                processor.update_state(update)
                processor.apply(torch.linspace(-4, 4, target.vocab).repeat(size, 1))
    except Exception as error:  # the user's code
        return error
    return None
