"""Processors that we know: what their requests look like and which reference row is right, by class."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from logitproof.impl.entry import Entry, SampleParams
from logitproof.impl.pipeline import PipelineLogitsProcessor, mixed_params
from logitproof.impl.registry import ENTRIES
from logitproof.model import rows
from logitproof.model.rows import RowFunction, logit_bias_row, min_p_row, min_tokens_row, pipeline_row
from logitproof.spec import SamplingParams

from .params import logit_bias_params, min_p_params, min_tokens_params
from .target import ParamsFor


@dataclass(frozen=True, slots=True)
class Known:
    """One feature: its requests and its reference row."""

    params_for: ParamsFor
    reference: RowFunction


MIN_P = Known(min_p_params, min_p_row)
LOGIT_BIAS = Known(logit_bias_params, logit_bias_row)
MIN_TOKENS = Known(min_tokens_params, min_tokens_row)

KNOWN: dict[str, Known] = {
    "logitproof.impl.processors.min_p:MinPLogitsProcessor": MIN_P,
    "logitproof.impl.processors.logit_bias:LogitBiasLogitsProcessor": LOGIT_BIAS,
    "logitproof.impl.processors.min_tokens:MinTokensLogitsProcessor": MIN_TOKENS,
    "vllm.v1.sample.logits_processor.builtin:MinPLogitsProcessor": MIN_P,
    "vllm.v1.sample.logits_processor.builtin:LogitBiasLogitsProcessor": LOGIT_BIAS,
    "vllm.v1.sample.logits_processor.builtin:MinTokensLogitsProcessor": MIN_TOKENS,
}
"""By the module and name under which the class was defined, wherever it was imported from."""


def sampled(sample: SampleParams, vocab_size: int) -> SearchStrategy[SamplingParams]:
    """Params that a registry entry makes, out of hypothesis' own random numbers, so that they shrink."""
    return st.builds(sample, st.randoms(use_true_random=False), st.just(vocab_size))


def from_entry(entry: Entry) -> Known:
    """A registry entry, with its own reference row or that of its name."""
    reference: RowFunction = entry.reference or getattr(rows, f"{entry.name}_row")
    return Known(partial(sampled, entry.sample_params), reference)


def whole_row(
    params: SamplingParams, prompt: Sequence[int] | None, outputs: Sequence[int], row: Sequence[float]
) -> list[float]:
    """The model's pipeline, and what entries with a reference of their own do in the midst of it."""
    after = list(row)
    for entry in ENTRIES:
        if not (params.is_greedy and entry.argmax_invariant):
            after = from_entry(entry).reference(params, prompt, outputs, after)
    return after


KNOWN |= {
    f"{entry.processor.__module__}:{entry.processor.__qualname__}": from_entry(entry)
    for entry in ENTRIES
    if f"{entry.processor.__module__}:{entry.processor.__qualname__}" not in KNOWN
}
IS_THE_MODELS = all(entry.reference is None for entry in ENTRIES)
KNOWN[f"{PipelineLogitsProcessor.__module__}:{PipelineLogitsProcessor.__qualname__}"] = Known(
    partial(sampled, mixed_params), pipeline_row if IS_THE_MODELS else whole_row
)


def known(cls: type) -> Known | None:
    """What we know of this very class, or what an entry beside it says; a subclass may mean something else."""
    if (found := KNOWN.get(f"{cls.__module__}:{cls.__qualname__}")) is not None:
        return found
    beside = vars(sys.modules[cls.__module__]).values() if cls.__module__ in sys.modules else ()
    own = (value for value in beside if isinstance(value, Entry) and value.processor is cls)
    return next(map(from_entry, own), None)
