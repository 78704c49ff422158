"""Puts the tokens that a target waits for into prompts and outputs: ids in its source, and ids in the params.

A history is decoded with small ids. Here each small id below `POSITIONS` becomes one of the tokens that matter in this
history, and stays what it was if there are fewer of those. A history that is shrunk keeps plain numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from logitproof.spec import SamplingParams
from logitproof.targets import Target

from .history import Arrival, History

POSITIONS = 8
"""As many small ids as scripts sample from, or outputs would hardly meet them."""
ONE_IN = 3
"""One request in three does without a phrase."""
FROM_SOURCE = 4
"""Of those positions: the rest is for tokens in params, and for tokens that mean nothing."""


def with_tokens_that_matter(history: History, target: Target) -> History:
    """The history with its small ids exchanged; no prompt is empty, and none is None where the target raises for it."""
    if target.takes_no_embeddings or not all(history.prompts):
        history = _with_prompts(history, target.takes_no_embeddings)
    table = _table(history, target)
    if not target.phrases and all(small == token for small, token in enumerate(table)):
        return history

    def exchanged(tokens: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(table[token] if token < len(table) else token for token in tokens)

    def dressed(arrival: Arrival) -> Arrival:
        script = exchanged(arrival.script)
        if target.phrases and arrival.row % ONE_IN:
            script = (*target.phrases[arrival.row % len(target.phrases)], *script)
        return replace(arrival, outputs=exchanged(arrival.outputs), script=script)

    steps = tuple(replace(step, new=tuple(map(dressed, step.new))) for step in history.steps)
    return replace(history, steps=steps, prompts=tuple(map(exchanged, history.prompts)))


def _with_prompts(history: History, everywhere: bool) -> History:
    """No engine takes an empty prompt. everywhere: nor are there requests without prompt ids."""

    def given(arrival: Arrival) -> Arrival:
        return replace(arrival, prompt=0) if everywhere and arrival.prompt is None else arrival

    steps = tuple(replace(step, new=tuple(map(given, step.new))) for step in history.steps)
    return replace(history, steps=steps, prompts=tuple(prompt or (0,) for prompt in history.prompts))


def _table(history: History, target: Target) -> list[int]:
    table = list(range(min(POSITIONS, history.vocab)))
    if not target.tokens:  # params draw small ids as often as scripts do
        return table
    own = [token for token in target.tokens if token < history.vocab]
    turn = history.seed * FROM_SOURCE % max(1, len(own))  # another choice where there are more than fit
    chosen = [*own[turn:], *own[:turn]][:FROM_SOURCE]
    chosen += [token for params in history.params for token in _ids_in(params) if token < history.vocab]
    for place, token in zip((1, 3, 0, 5, 2, 4), dict.fromkeys(chosen), strict=False):
        if place < len(table):
            table[place] = token
    return table


def _ids_in(params: SamplingParams) -> Iterator[int]:
    yield from _numbers(params.extra_args or {})
    yield from params.stop_token_ids


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _numbers(each)
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for each in value:
            yield from _numbers(each)
