"""Each feature as a map from rows to rows, in words of its kernel: what statements about whole rows compose."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ..obligation import Text
from .reading import RowReading
from .row import OfToken, Row

StageOf: TypeAlias = Callable[[RowReading, Text, Row, OfToken], OfToken]
"""The logits after a feature, given those before it."""


def _guarded(L: RowReading, text: Text, s: Row, before: OfToken, masked: OfToken) -> OfToken:
    some_left = L.some_token(s.size, lambda t: L.finite(masked(t)))
    return lambda t: text.kept_if_none_is_left(L, before(t), masked(t), some_left)


def allowed_token_ids(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return _guarded(L, text, s, logit, lambda t: text.keep_allowed(L, logit(t), s.listed(t)))


def bad_words(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return _guarded(L, text, s, logit, lambda t: text.ban(L, logit(t), s.forbidden(t)))


def min_tokens(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return _guarded(L, text, s, logit, lambda t: text.ban(L, logit(t), s.stops(t)))


def logit_bias(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return lambda t: text.add_bias(L, logit(t), s.bias(t))


def repetition_penalty(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return lambda t: text.penalise_repetition(L, logit(t), s.seen(t), s.repetition)


def frequency_penalty(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return lambda t: text.penalise_frequency(L, logit(t), s.count(t), s.frequency)


def presence_penalty(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return lambda t: text.penalise_presence(L, logit(t), s.count(t), s.presence)


def temperature(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return lambda t: text.cool(L, logit(t), s.temperature)


def min_p(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return lambda t: text.keep_likely(L, logit(t), logit(s.top), s.min_p)


def top_k(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return lambda t: text.keep_top_k(L, logit(t), s.higher(t), s.k)


def top_p(L: RowReading, text: Text, s: Row, logit: OfToken) -> OfToken:
    return lambda t: text.keep_nucleus(L, logit(t), s.likelier(t), s.p)


STAGES: dict[str, StageOf] = {
    stage.__name__: stage
    for stage in (
        *(allowed_token_ids, bad_words, min_tokens, logit_bias),
        *(repetition_penalty, frequency_penalty, presence_penalty),
        *(temperature, min_p, top_k, top_p),
    )
}
KERNEL_OF: dict[str, tuple[str, ...]] = {
    "allowed_token_ids": ("keep_allowed", "kept_if_none_is_left"),
    "bad_words": ("ban", "kept_if_none_is_left"),
    "min_tokens": ("ban", "kept_if_none_is_left"),
    "logit_bias": ("add_bias",),
    "repetition_penalty": ("penalise_repetition",),
    "frequency_penalty": ("penalise_frequency",),
    "presence_penalty": ("penalise_presence",),
    "temperature": ("cool",),
    "min_p": ("keep_likely",),
    "top_k": ("keep_top_k",),
    "top_p": ("keep_nucleus",),
}
"""The functions under proof that each feature is made of."""

MASKS = ("allowed_token_ids", "bad_words", "min_tokens")
ARITHMETIC = ("logit_bias", "repetition_penalty", "frequency_penalty", "presence_penalty", "temperature")


def equal_rows(L: RowReading, s: Row, one: OfToken, other: OfToken) -> bool:
    """Whether two rows hold the same logit for every token; the result is a formula where the reading is symbolic."""
    return L.every_token(s.size, lambda t: one(t) == other(t))  # type: ignore[no-any-return]
