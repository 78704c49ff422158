"""A registry entry: everything that the generic tests, the fuzzer and the documentation need to know of a processor."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch

from logitproof.spec import LogitsProcessor, SamplingParams

ReferenceRow: TypeAlias = Callable[
    [SamplingParams, Sequence[int] | None, Sequence[int], Sequence[float]], list[float]
]
"""`(params, prompt_token_ids, output_token_ids, row) -> row`, in plain Python; what the processor is compared with."""

SampleParams: TypeAlias = Callable[[random.Random, int], SamplingParams]
"""`(random, vocab_size)` to the params of a request that uses the processor."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """Params that no request may have. message: a regular expression that the error's text contains."""

    fields: Mapping[str, Any]
    message: str


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Relative and absolute distance from the float64 reference row that counts as none. Source: style rule 9."""

    relative: float
    absolute: float
    reason: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One processor. A file of `impl/processors` that holds one makes its processor built in: see `registry`.

    name: of the feature.
    sample_params: hypothesis passes a `random.Random` that it controls, so that failures still shrink.
    argmax_invariant: what the instance must answer (contract D5).
    tolerance: by dtype of the logits.
    reference: the right row; None for `logitproof.model.rows.<name>_row`, which the proofs read too.
    """

    name: str
    processor: type[LogitsProcessor]
    sample_params: SampleParams
    rejected: tuple[Rejected, ...]
    argmax_invariant: bool
    tolerance: Mapping[torch.dtype, Tolerance]
    reference: ReferenceRow | None = None


def exact(reason: str) -> dict[torch.dtype, Tolerance]:
    """No distance at all, in every dtype."""
    return {dtype: Tolerance(0.0, 0.0, reason) for dtype in _ULP}


def rounded(operations: int) -> dict[torch.dtype, Tolerance]:
    """`operations` roundings to the dtype; a sum of numbers below 16 may cancel, hence the absolute part."""
    reason = f"{operations} rounding(s) to the dtype; the reference is float64"
    return {dtype: Tolerance(operations * ulp, 16 * operations * ulp, reason) for dtype, ulp in _ULP.items()}


_ULP = {
    torch.float64: 2.0**-52,
    torch.float32: 2.0**-23,
    torch.float16: 2.0**-10,
    torch.bfloat16: 2.0**-7,
}


def token_ids(rng: random.Random, vocab_size: int, most: int) -> list[int]:
    """One to `most` ids, both ends of the vocabulary and the low ids that test scripts sample more often."""
    choices = (0, vocab_size - 1, rng.randrange(min(8, vocab_size)), rng.randrange(vocab_size))
    return [rng.choice(choices) for _ in range(rng.randint(1, most))]
