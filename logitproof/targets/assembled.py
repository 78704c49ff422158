"""From drawn values by path to the `SamplingParams` of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from logitproof.spec import SamplingParams
from logitproof.vllm_params import ENGINE_FIELD

from .errors import TargetError, one_line
from .evidence import Path

FIELDS = frozenset(field.name for field in fields(SamplingParams))
ENGINE_FIELDS = ("thinking_token_budget", "logprob_token_ids")
"""Fields that only vLLM's params have."""
EXTRA = "extra_args"
"""Before a key of `extra_args` that has the name of a field."""


def in_extra_args(path: Path) -> Path:
    """The path of a key of `extra_args`, so that no field of that name is meant: `("extra_args", "top_k")`."""
    return (EXTRA, *path) if path[:1] and path[0] in (*FIELDS, *ENGINE_FIELDS) else path


def assembled(values: Mapping[Path, Any]) -> SamplingParams:
    """The params that hold these values. Raises TargetError: a field does not take its value."""
    given: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for path, value in values.items():
        if path[0] in FIELDS and len(path) == 1:
            given[path[0]] = value
            continue
        *outer, last = path
        if not outer and last in ENGINE_FIELDS:
            last = ENGINE_FIELD + last
        holder = extra
        for key in outer[1:] if outer[:1] == [EXTRA] else outer:
            holder = holder.setdefault(key, {})
        holder[last] = value
    if given.get("min_tokens"):
        given.setdefault("max_tokens", None)
    try:
        return SamplingParams(**given, extra_args=extra or None)
    except (TypeError, ValueError) as error:
        raise TargetError(f"--arg: SamplingParams does not take what was drawn: {one_line(error)}") from error
