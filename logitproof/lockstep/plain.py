"""Which requests ask for nothing, so that no processor may touch their rows (contract D2)."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter

from logitproof.spec import SamplingParams

NEUTRAL = ("temperature", "max_tokens", "seed", "logprobs", "ignore_eos")
"""Fields that ask for no processor."""

PLAIN = SamplingParams()
_WATCHED = attrgetter(*(field.name for field in fields(PLAIN) if field.name not in NEUTRAL))
_NOTHING = _WATCHED(PLAIN)


def is_plain(params: SamplingParams) -> bool:
    """Whether every field that a processor could act on has its default value."""
    return bool(_WATCHED(params) == _NOTHING)
