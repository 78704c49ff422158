"""Plays single requests on a target, alone, to see whether a guess about them holds: nothing here is a verdict.

A request whose params make the target raise was guessed wrong, and one that changes no logit tests nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

import torch

from logitproof.spec import BatchUpdate, EngineConfig, SamplingParams, check_token_ids

from .quiet import no_open_files
from .target import Target

STEPS = 10
RUN = 7
"""Tokens of the params that some outputs begin with: one of them again and again, or one after the other."""
PROMPT = (1, 2, 1, 2, 3)
SCRIPT = (0, 1, 2, 0, 1, 4, 3, 5, 4, 1)
BEYOND = re.compile(r"index (\d+) is out of (?:bounds|range)|out of bounds: (\d+)")


class Outcome(Enum):
    """What became of a request."""

    CHANGED = "changed a logit"
    UNCHANGED = "changed no logit"
    REFUSED = "refused"
    RAISED = "raised"
    EMPTIED = "left no token to sample"


@dataclass(frozen=True, slots=True)
class Probe:
    """The outcome, the exception, and the token id beyond the vocabulary that it names."""

    outcome: Outcome
    error: Exception | None = None
    is_first_step: bool = False
    """Whether it was raised before any token was sampled."""

    @property
    def token_beyond(self) -> int | None:
        """The token id for which the vocabulary is too small."""
        found = BEYOND.search(str(self.error)) if isinstance(self.error, IndexError | RuntimeError) else None
        return int(next(group for group in found.groups() if group)) if found else None


def probe(
    target: Target,
    config: EngineConfig,
    params: SamplingParams,
    tokens: Sequence[int] = (),
    number: int = 0,
    phrases: Sequence[Sequence[int]] = (),
) -> Probe:
    """One request, alone, for some steps.

    tokens: those that matter to the target; they are sampled in between. number: of the probe: some begin with
    outputs, and in some the tokens that matter come one at a time. phrases: tokens that some outputs begin with.
    """
    vocab = config.model_config.vocab_size
    try:
        check_token_ids(params, vocab)
        target.validate(params)
    except Exception as error:  # the user's code: a guess that it cannot even judge is refused too
        return Probe(Outcome.REFUSED, error)
    script = _script(tokens, vocab, number)
    listed = [token % vocab for token in PROMPT]
    own = [*mentioned(params.extra_args, vocab)]
    listed += own[:1]
    if number % 3:
        script = [*(own[:1] * RUN if number % 3 == 1 else own[:RUN]), *script]
    if phrases and number % 3:
        script = [*phrases[number // 3 % len(phrases)], *script]
    outputs = script[: number % 3 * 2]
    changed = emptied = False
    update: BatchUpdate | None = BatchUpdate(1, [], [(0, params, listed, outputs)], [])
    torch.set_num_threads(1)  # a second thread only waits at barriers, for as long as other processes like
    rows = _rows(vocab)
    try:
        with torch.inference_mode(), no_open_files():
            processor = target.make(config, torch.device("cpu"), False)
            for step in range(STEPS):
                given = rows[step : step + 1]
                row = given.repeat(2, 1)[:1]  # a row of a stranger lies behind it
                processor.update_state(update)
                returned = processor.apply(row)
                changed = changed or not torch.equal(returned, given)
                emptied = emptied or not bool(returned.isfinite().any())
                outputs.append(script[len(outputs) % len(script)])
                update = None
    except Exception as error:  # the user's code, given what may be nonsense
        return Probe(Outcome.RAISED, error, update is not None)
    if emptied:
        return Probe(Outcome.EMPTIED)
    return Probe(Outcome.CHANGED if changed else Outcome.UNCHANGED)


def mentioned(value: Any, vocab: int) -> Iterator[int]:
    """Token ids that arguments may mean: the whole numbers in them."""
    if isinstance(value, bool):
        return
    if isinstance(value, int) and 0 <= value < vocab:
        yield value
    elif isinstance(value, Mapping):
        yield from mentioned([int(key) if str(key).isdigit() else None for key in value], vocab)
        yield from mentioned([*value.values()], vocab)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from mentioned(each, vocab)


@lru_cache(maxsize=2)
def _rows(vocab: int) -> torch.Tensor:
    """Logits of every step; nobody writes to them: float tensor (STEPS, vocab)."""
    row = torch.linspace(-4, 4, vocab)
    return torch.stack([row.roll(step * 5) for step in range(STEPS)])


def _script(tokens: Sequence[int], vocab: int, number: int) -> list[int]:
    """Small ids, with the tokens that matter among them: all, each followed by something else, or only one, or none."""
    within = [token for token in tokens if token < vocab and number % 4 != 2]
    if within and number % 2:
        within = [within[number // 2 % len(within)]]
    mixed = [token for pair in zip(within[:8], SCRIPT, strict=False) for token in pair]
    small = [token for token in SCRIPT if number % 4 != 2 or token not in tokens]
    return [token % vocab for token in (*mixed, *small)]
