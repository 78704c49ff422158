"""Per-request sampling parameters, validated when they are made."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=True)
class SamplingParams:
    """How one request is sampled. Raises ValueError or TypeError, naming field, value and remedy, when invalid.

    The fields are those of the seed document; a default means "this request does not use the feature".
    Token ids are non-negative integers; that they lie inside the vocabulary is checked by
    `check_token_ids`, since only the engine knows the width of the logits.
    """

    temperature: float = 1.0
    """0 means greedy; otherwise logits are divided by it."""
    top_p: float = 1.0
    """In (0, 1]; 1 keeps every token."""
    top_k: int = 0
    """0 or -1 keeps every token."""
    min_p: float = 0.0
    """In [0, 1]: tokens less likely than this fraction of the likeliest are dropped; 0 drops none."""
    repetition_penalty: float = 1.0
    """Greater than 0; 1 penalises nothing. Counts prompt and output."""
    frequency_penalty: float = 0.0
    """In [-2, 2]; per occurrence in the output."""
    presence_penalty: float = 0.0
    """In [-2, 2]; once per token that occurs in the output."""
    logit_bias: Mapping[int, float] | None = None
    """Token id to the number added to its logit."""
    min_tokens: int = 0
    """No stop token may be sampled before this many output tokens."""
    max_tokens: int | None = 16
    stop_token_ids: Collection[int] = ()
    eos_token_id: int | None = None
    """The model's own end token; part of the stop set."""
    ignore_eos: bool = False
    """Generation goes on after `eos_token_id`; `min_tokens` still bans it, as engines do."""
    allowed_token_ids: Collection[int] | None = None
    bad_words: Collection[Collection[int]] = ()
    """Token-id sequences that must not be completed."""
    seed: int | None = None
    logprobs: int | None = None
    """How many top log-probabilities to report; None reports none."""
    extra_args: Mapping[str, Any] | None = None
    """Arguments of custom processors."""

    def __post_init__(self) -> None:
        _number(self, "temperature", low=0.0)
        _number(self, "top_p", low=0.0, high=1.0, open_low=True)
        _integer(self, "top_k", low=-1)
        _number(self, "min_p", low=0.0, high=1.0)
        _number(self, "repetition_penalty", low=0.0, open_low=True)
        _number(self, "frequency_penalty", low=-2.0, high=2.0)
        _number(self, "presence_penalty", low=-2.0, high=2.0)
        _integer(self, "min_tokens", low=0)
        for name, low in (("max_tokens", 1), ("eos_token_id", 0), ("logprobs", 0)):
            if getattr(self, name) is not None:
                _integer(self, name, low=low)
        if self.seed is not None:
            _integer(self, "seed", low=None)
        if type(self.ignore_eos) is not bool:
            _refuse("ignore_eos", self.ignore_eos, "True or False")
        if self.max_tokens is not None and self.min_tokens > self.max_tokens:
            _refuse("min_tokens", self.min_tokens, f"at most max_tokens={self.max_tokens}")
        if self.logit_bias is not None:
            object.__setattr__(self, "logit_bias", _biases(self.logit_bias))
        object.__setattr__(self, "stop_token_ids", _token_ids("stop_token_ids", self.stop_token_ids))
        if self.allowed_token_ids is not None:
            allowed = _token_ids("allowed_token_ids", self.allowed_token_ids)
            if not allowed:
                _refuse(
                    "allowed_token_ids",
                    allowed,
                    "None or at least one token id (an empty list bans every token)",
                )
            object.__setattr__(self, "allowed_token_ids", allowed)
        object.__setattr__(self, "bad_words", _bad_words(self.bad_words))
        if self.extra_args is not None and not isinstance(self.extra_args, Mapping):
            _refuse("extra_args", self.extra_args, "a mapping of argument names to values")

    @property
    def is_greedy(self) -> bool:
        """Whether the argmax is taken instead of a random sample. Source: contract E2."""
        return self.temperature == 0.0

    @property
    def all_stop_token_ids(self) -> frozenset[int]:
        """Every token id that ends the request: the set that `min_tokens` bans equals the set that stops."""
        eos = () if self.eos_token_id is None else (self.eos_token_id,)
        return frozenset((*self.stop_token_ids, *eos))


def check_token_ids(params: SamplingParams, vocab_size: int) -> None:
    """Raise ValueError if a token id in `params` lies outside a vocabulary of `vocab_size` tokens.

    The engine runs it when a request arrives, next to every `validate_params`. Source: contract D6.
    """
    named: dict[str, Iterable[int]] = {
        "logit_bias": params.logit_bias or (),
        "stop_token_ids": params.stop_token_ids,
        "eos_token_id": () if params.eos_token_id is None else (params.eos_token_id,),
        "allowed_token_ids": params.allowed_token_ids or (),
        "bad_words": [token for word in params.bad_words for token in word],
    }
    for name, token_ids in named.items():
        beyond = sorted(token for token in token_ids if token >= vocab_size)
        if beyond:
            raise ValueError(
                f"Expected token ids below vocab_size={vocab_size} but {name} has {beyond}; the logits have no such "
                f"column: take them out, or check that they come from this model's tokenizer"
            )


def _refuse(name: str, value: object, expected: str) -> NoReturn:
    raise ValueError(
        f"Expected {name} to be {expected} but got {name}={value!r} (type={type(value).__name__})"
    )


def _number(
    params: SamplingParams, name: str, *, low: float, high: float = math.inf, open_low: bool = False
) -> None:
    value = getattr(params, name)
    bounds = f"{'(' if open_low else '['}{low:g}, {high:g}{']' if math.isfinite(high) else ')'}"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(
            f"Expected {name} to be a number in {bounds} but got {name}={value!r} (type={type(value).__name__})"
        )
    if not math.isfinite(value) or not low <= value <= high or (open_low and value == low):
        _refuse(name, value, f"a number in {bounds}")


def _integer(params: SamplingParams, name: str, *, low: int | None) -> None:
    value = getattr(params, name)
    expected = "an integer" if low is None else f"an integer >= {low}"
    if type(value) is not int:
        raise TypeError(
            f"Expected {name} to be {expected} but got {name}={value!r} (type={type(value).__name__})"
        )
    if low is not None and value < low:
        _refuse(name, value, expected)


def _token_ids(name: str, values: Iterable[int]) -> tuple[int, ...]:
    expected = "a sequence of token ids (integers >= 0)"
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        _refuse(name, values, expected)
    token_ids = tuple(values)
    for token in token_ids:
        if type(token) is not int or token < 0:
            raise ValueError(
                f"Expected {name} to be {expected} but it holds {token!r} (type={type(token).__name__})"
            )
    return token_ids


def _biases(biases: Mapping[int, float]) -> dict[int, float]:
    if not isinstance(biases, Mapping):
        _refuse("logit_bias", biases, "a mapping of token id to bias")
    _token_ids("logit_bias", biases)
    for token, bias in biases.items():
        if isinstance(bias, bool) or not isinstance(bias, int | float) or not math.isfinite(bias):
            raise ValueError(
                f"Expected logit_bias[{token}] to be a finite number but got {bias!r} (type={type(bias).__name__}); "
                f"to ban a token use a large negative bias such as -100, or allowed_token_ids"
            )
    return dict(biases)


def _bad_words(words: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    if isinstance(words, str | bytes) or not isinstance(words, Iterable):
        _refuse("bad_words", words, "a sequence of token-id sequences (tokenise words first)")
    listed = tuple(words)
    checked = tuple(_token_ids(f"bad_words[{position}]", word) for position, word in enumerate(listed))
    if any(not word for word in checked):
        _refuse(
            "bad_words", list(map(list, checked)), "free of empty words (an empty word matches everywhere)"
        )
    return checked
