"""Which requests ask for nothing, so that no processor may touch their rows (contract D2)."""

from __future__ import annotations

from dataclasses import replace

from logitproof.spec import SamplingParams

NEUTRAL = ("temperature", "max_tokens", "seed", "logprobs", "ignore_eos")
"""Fields that ask for no processor."""

PLAIN = SamplingParams()


def is_plain(params: SamplingParams) -> bool:
    """Whether every field that a processor could act on has its default value."""
    return replace(PLAIN, **{name: getattr(params, name) for name in NEUTRAL}) == params
