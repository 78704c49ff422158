"""From drawn values by path to the `SamplingParams` of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from logitproof.spec import SamplingParams
from logitproof.vllm_params import ENGINE_FIELD

from .errors import TargetError, one_line

FIELDS = frozenset(field.name for field in fields(SamplingParams))
ENGINE_FIELDS = ("thinking_token_budget", "logprob_token_ids")
"""Fields that only vLLM's params have."""


def assembled(values: Mapping[tuple[str, ...], Any]) -> SamplingParams:
    """The params that hold these values. Raises TargetError: a field does not take its value."""
    given: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for path, value in values.items():
        if path[0] in FIELDS and len(path) == 1:
            given[path[0]] = value
            continue
        *outer, last = path
        holder = extra
        for key in outer:
            holder = holder.setdefault(key, {})
        if not outer and last in ENGINE_FIELDS:
            last = ENGINE_FIELD + last
        holder[last] = value
    if given.get("min_tokens"):
        given.setdefault("max_tokens", None)
    try:
        return SamplingParams(**given, extra_args=extra or None)
    except (TypeError, ValueError) as error:
        raise TargetError(f"--arg: SamplingParams does not take what was drawn: {one_line(error)}") from error
